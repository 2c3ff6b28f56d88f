import { describe, expect, test } from 'vitest';
import { itemSchema } from '../../cases/index.ts';
import { checkItem } from './check-item.ts';
import { checkContains } from './contains.ts';
import { checkExact } from './exact.ts';
import { checkJson } from './json.ts';
import { checkRegex } from './regex.ts';

describe('exact', () => {
  test.each([
    ['Tokyo', 'Tokyo', 'pass'],
    ['tokyo', 'Tokyo', 'pass'],
    ['  Tokyo \n', 'Tokyo', 'pass'],
    ['Tokyo.', 'Tokyo', 'pass'],
    ['Tokyo!?', 'Tokyo', 'pass'],
    ['Tokyo。', 'Tokyo', 'pass'],
    ['**Tokyo**', 'Tokyo', 'pass'],
    ['***Tokyo***.', 'Tokyo', 'pass'],
    ['*Tokyo*', 'Tokyo', 'pass'],
    ['__Tokyo__', 'Tokyo', 'pass'],
    ['`Tokyo`', 'Tokyo', 'pass'],
    ['~~Tokyo~~', 'Tokyo', 'pass'],
    ['# Tokyo', 'Tokyo', 'pass'],
    ['- Tokyo', 'Tokyo', 'pass'],
    ['Ｔｏｋｙｏ', 'Tokyo', 'pass'],
    ['ﬁne', 'fine', 'pass'],
    ['STRASSE', 'Straße', 'pass'],
    ['Ångström', 'A\u030angstro\u0308m', 'pass'],
    ['New   York', 'New York', 'pass'],
    ['New\nYork', 'New York', 'pass'],
    ['snake_case_name', 'snake_case_name', 'pass'],
    ['2*3*4', '2*3*4', 'pass'],
    ['2 * 3', '2 * 3', 'pass'],
    ['2*3', '23', 'fail'],
    ['snake_case', 'snakecase', 'fail'],
    ['It is Tokyo', 'Tokyo', 'fail'],
    ['Kyoto', 'Tokyo', 'fail'],
    ['', 'Tokyo', 'fail'],
    ['"Tokyo"', 'Tokyo', 'pass'],
    ['.5', '5', 'fail'],
  ])('%j against %j: %s', (response, answer, verdict) => {
    expect(checkExact(response, [answer]).verdict).toBe(verdict);
  });

  test('any of several answers passes; case matters only if requested', () => {
    expect(checkExact('USA', ['United States', 'usa']).verdict).toBe('pass');
    expect(checkExact('usa', ['USA'], { case_sensitive: true }).verdict).toBe('fail');
    expect(checkExact('USA.', ['USA'], { case_sensitive: true }).verdict).toBe('pass');
  });
});

describe('contains', () => {
  test.each([
    ['The capital of France is **Paris**.', 'Paris', {}, 'pass'],
    ['PARIS', 'Paris', {}, 'pass'],
    ['London', 'Paris', {}, 'fail'],
    ['', 'Paris', {}, 'fail'],
    ['from Australia', 'Au', {}, 'pass'],
    ['from Australia', 'Au', { whole_words: true }, 'fail'],
    ['Australia, Au, gold', 'Au', { whole_words: true }, 'pass'],
    ['paris', 'Paris', { case_sensitive: true }, 'fail'],
    ['red and blue', undefined, { all: ['red', 'blue'] }, 'pass'],
    ['red', undefined, { all: ['red', 'blue'] }, 'fail'],
    ['red', undefined, { any: ['red', 'blue'] }, 'pass'],
    ['green', undefined, { any: ['red', 'blue'] }, 'fail'],
    ['red', undefined, { none: ['blue'] }, 'pass'],
    ['red and blue', undefined, { any: ['red'], none: ['blue'] }, 'fail'],
  ])('%j, %j, %j: %s', (response, answer, checker, verdict) => {
    expect(checkContains(response, answer, checker).verdict).toBe(verdict);
  });

  test('names what is missing', () => {
    expect(checkContains('red', undefined, { all: ['red', 'blue'] }).detail.reason).toBe(
      'Not in the response: "blue".',
    );
  });
});

describe('regex', () => {
  test.each([
    ['It was on 1969-07-20.', '\\b1969-07-(20|21)\\b', {}, 'pass'],
    ['It was on 1969-07-22.', '\\b1969-07-(20|21)\\b', {}, 'fail'],
    ['ABC', 'abc', {}, 'fail'],
    ['ABC', 'abc', { flags: 'i' }, 'pass'],
    ['a\nb', 'a.b', {}, 'fail'],
    ['a\nb', 'a.b', { flags: 's' }, 'pass'],
    ['a\nb', '^b$', {}, 'fail'],
    ['a\nb', '^b$', { flags: 'm' }, 'pass'],
    ['xabcx', 'abc', { full: true }, 'fail'],
    [' abc\n', 'a.c', { full: true }, 'pass'],
    ['日本', '^\\p{Han}+$', {}, 'pass'],
  ])('%j with %j %j: %s', (response, pattern, checker, verdict) => {
    expect(checkRegex(response, pattern, checker).verdict).toBe(verdict);
  });

  test.each(['(a+)+$', '(x+x+)+y', '(a|aa)+$', '^([a-zA-Z]+)*$', '(.*)*='])('%s cannot hang the worker', (pattern) => {
    const before = process.cpuUsage();
    expect(checkRegex(`${'a'.repeat(100_000)}!`, pattern).verdict).toBe('fail');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(4000);
  });

  test('a match that would cost too much is an error of the check, not of the answer', () => {
    const result = checkRegex('ab'.repeat(500_000), '(a|b){400}[cd]');
    expect(result).toEqual({
      value: null,
      verdict: 'error',
      detail: { reason: 'The pattern could not be tried: the response is too long for this pattern.' },
    });
    expect(checkRegex('x', '(?=x)').verdict).toBe('error');
  });
});

describe('JSON', () => {
  const answer = { name: 'Ada', born: 1815, tags: ['x', 'y'] };
  test.each([
    ['{"name":"Ada","born":1815,"tags":["x","y"]}', {}, 'The JSON is the same.'],
    ['{"tags":["x","y"],"born":1815.0,"name":"Ada"}', {}, 'The JSON is the same.'],
    ['Here it is:\n```json\n{"name":"Ada","born":1815,"tags":["x","y"]}\n```\nDone.', {}, 'The JSON is the same.'],
    ['Sure: {"name":"Ada","born":1815,"tags":["x","y"]} as asked.', {}, 'The JSON is the same.'],
    ['First {"a":1}, then {"name":"Ada","born":1815,"tags":["x","y"]}', {}, 'The JSON is the same.'],
    ['an open { here\n{"name":"Ada","born":1815,"tags":["x","y"]}', {}, 'The JSON is the same.'],
    ['{"name":"Ada","born":1816,"tags":["x","y"]}', {}, 'The JSON differs at $.born.'],
    ['{"name":"Ada","born":1816,"tags":["x","y"]}', { abs_tol: 1 }, 'The JSON is the same.'],
    ['{"name":"Ada","born":"1815","tags":["x","y"]}', {}, 'The JSON differs at $.born.'],
    ['{"name":"Ada","born":1815,"tags":["y","x"]}', {}, 'The JSON differs at $.tags[0].'],
    ['{"name":"Ada","born":1815,"tags":["x"]}', {}, 'The JSON differs at $.tags.length.'],
    ['{"name":"Ada","born":1815}', {}, 'The JSON differs at $.tags.'],
    ['{"name":"Ada","born":1815,"tags":["x","y"],"more":1}', {}, 'The JSON differs at $.more.'],
    ['{"name":"Ada","born":1815,"tags":["x","y"],"more":1}', { subset: true }, 'The JSON is the same.'],
    ['no JSON at all', {}, 'The response contains no JSON.'],
    ['{"name":', {}, 'The response contains no JSON.'],
  ])('%j %j', (response, checker, reason) => {
    const result = checkJson(response, answer, checker);
    expect(result.detail.reason).toBe(reason);
    expect(result.verdict).toBe(reason === 'The JSON is the same.' ? 'pass' : 'fail');
    expect(checkJson(response, JSON.stringify(answer), checker).verdict).toBe(result.verdict);
  });

  test('an inherited property is not a key', () => {
    expect(checkJson('{}', { constructor: 1 }).verdict).toBe('fail');
    expect(checkJson('{"toString":1}', {}).verdict).toBe('fail');
  });

  test.each([
    ['brackets', '{'.repeat(1_000_000)],
    ['brackets on lines', '{\n'.repeat(300_000)],
    ['pairs', '{}'.repeat(300_000)],
    ['quotes', '{"'.repeat(300_000)],
    ['fences', '```\n{'.repeat(100_000)],
  ])('a megabyte of %s is read in linear time', (_, response) => {
    const before = process.cpuUsage();
    checkJson(response, { a: 1 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(4000);
  });
});

describe('the checker of an item', () => {
  const base = { id: 'a', prompt_text: 'Which?', section: 's' };
  test.each<[string, Record<string, unknown>, string, string, number | null]>([
    ['mcq_single', { type: 'mcq_single', choices: ['x-ray', 'y-axis'], answer: 'B' }, 'The answer is B.', 'pass', 1],
    ['mcq_single by text', { type: 'mcq_single', choices: ['x-ray', 'y-axis'], answer: 'y-axis' }, '(B)', 'pass', 1],
    ['mcq_multi', { type: 'mcq_multi', choices: ['x', 'y', 'z'], answer: ['A', 'z'] }, 'A, B, C', 'fail', 0.8],
    [
      'mcq_multi with a threshold',
      {
        type: 'mcq_multi',
        choices: ['x', 'y', 'z'],
        answer: ['A', 'C'],
        checker: { kind: 'multi_choice', threshold: 0.5 },
      },
      'A, B, C',
      'pass',
      0.8,
    ],
    ['numeric', { type: 'numeric', answer: '1,000' }, 'It is 1000.', 'pass', 1],
    ['freeform', { type: 'freeform', answer: 'Tokyo' }, '**tokyo**.', 'pass', 1],
    ['freeform with accept only', { type: 'freeform', checker: { kind: 'exact', accept: ['x'] } }, 'X', 'pass', 1],
    ['freeform number', { type: 'freeform', answer: 42 }, '42', 'pass', 1],
    ['regex by answer', { type: 'regex', answer: 'ab+' }, 'xabbbx', 'pass', 1],
    [
      'regex by checker',
      { type: 'regex', answer: 'abb', checker: { kind: 'regex', pattern: '^ab+$' } },
      'abbbb',
      'pass',
      1,
    ],
    [
      'numeric as regex',
      { type: 'numeric', answer: '7', checker: { kind: 'regex', pattern: '7|seven' } },
      'seven',
      'pass',
      1,
    ],
    ['json', { type: 'freeform', answer: { a: 1 }, checker: { kind: 'json' } }, '{"a":1}', 'pass', 1],
    ['judge', { type: 'judge', criteria: 'c' }, 'x', 'skipped', null],
    ['freeform with criteria', { type: 'freeform', answer: 'x', criteria: 'c' }, 'x', 'skipped', null],
    ['nothing to go by', { type: 'freeform' }, 'x', 'skipped', null],
    ['mcq without an answer', { type: 'mcq_single', choices: ['x', 'y'] }, 'A', 'skipped', null],
  ])('%s', (_, change, response, verdict, value) => {
    const result = checkItem(itemSchema.parse({ ...base, ...change }), response);
    expect(result.verdict).toBe(verdict);
    expect(result.value === null ? null : Number(result.value.toFixed(6))).toBe(value);
    expect(result.detail.reason).toMatch(/\.$/);
  });
});
