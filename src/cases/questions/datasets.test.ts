import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateDataset } from '../../../fixtures/chat/datasets/generate.ts';
import { DATASET, datasetOf, ITEMS, NOW } from '../../../test/browser-harness/samples.ts';
import { writeZip } from '../../archives/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { readBundle, writeBundle } from './bundle.ts';
import { versionHash } from './dataset.ts';
import { parseJsonl, toJsonl } from './jsonl.ts';

const line = (item: unknown): string => `${JSON.stringify(item)}\n`;
const numeric = { id: 'a', type: 'numeric', prompt_text: '6 × 7?', answer: 42 };

describe('a dataset as JSONL', () => {
  test('survives a round trip', () => {
    const report = parseJsonl(toJsonl(ITEMS));
    expect(report.problems).toEqual([]);
    expect(report.items).toEqual(ITEMS);
    expect(report.version_hash).toBe(DATASET.version_hash);
  });

  test('accepts the fixtures', () => {
    const small = readFileSync(new URL('../../../fixtures/chat/datasets/small.jsonl', import.meta.url), 'utf8');
    expect(parseJsonl(small).problems).toEqual([]);
    const large = parseJsonl(generateDataset(1000).map(line).join(''));
    expect([large.accepted, large.problems]).toEqual([1000, []]);
  });

  test('skips blank lines, accepts CRLF and a byte order mark, and applies defaults', () => {
    const report = parseJsonl(`\uFEFF\r\n${JSON.stringify(numeric)}\r\n\n   \n`);
    expect(report).toMatchObject({ lines: 1, accepted: 1, problems: [] });
    expect(report.items[0]).toEqual({ ...numeric, section: 'main', meta: {} });
  });

  test('reports every invalid line by its number and keeps reading', () => {
    const text = [
      JSON.stringify(numeric),
      '{"id": "b"',
      JSON.stringify({ ...numeric, id: 'a' }),
      JSON.stringify({ ...numeric, id: 'c', type: 'essay' }),
      '',
      JSON.stringify({ ...numeric, id: 'd', colour: 'red' }),
      JSON.stringify({ ...numeric, id: 'e', answer: 'many' }),
      '[1]',
      JSON.stringify({ ...numeric, id: 'f' }),
    ].join('\n');
    const report = parseJsonl(text);
    expect(report.items.map(({ id }) => id)).toEqual(['a', 'f']);
    expect([report.lines, report.accepted]).toEqual([8, 2]);
    expect(report.problems).toEqual([
      { line: 2, code: 'json', message: 'This is not valid JSON.' },
      { line: 3, code: 'duplicate', message: 'The id a is already used on line 1.', item_id: 'a' },
      { line: 4, code: 'item', message: expect.stringContaining('type: Invalid option'), item_id: 'c' },
      { line: 6, code: 'item', message: 'It: Unrecognized key: "colour".', item_id: 'd' },
      {
        line: 7,
        code: 'item',
        message: 'answer: must be a number, or a text that is one, such as 3/4 or 25%.',
        item_id: 'e',
      },
      { line: 8, code: 'item', message: expect.stringContaining('expected object, received array') },
    ]);
  });

  test.each([
    ['no prompt', { prompt_text: '  ' }, 'prompt_text: must not be empty.'],
    ['NUL in the prompt', { prompt_text: 'a\0b' }, 'prompt_text: must not hold NUL or half a surrogate pair.'],
    ['NUL deep in meta', { meta: { a: ['\0'] } }, 'meta: must not hold NUL or half a surrogate pair.'],
    [
      'half a pair in the answer',
      { type: 'freeform', answer: '\ud800' },
      'answer: must not hold NUL or half a surrogate pair.',
    ],
    ['spaces around the id', { id: ' a' }, 'id: must have no control characters and no spaces around it.'],
    ['a line break in the id', { id: 'a\nb' }, 'id: must have no control characters and no spaces around it.'],
    [
      'options missing',
      { type: 'mcq_single', answer: 'A' },
      'choices: is required for mcq_single. answer: must be the letter or the text of an option: .',
    ],
    [
      'an option twice',
      { type: 'mcq_single', choices: ['x', 'X'], answer: 'A' },
      'choices: has the same option twice.',
    ],
    [
      'an answer that is not an option',
      { type: 'mcq_single', choices: ['x', 'y'], answer: 'C' },
      'answer: must be the letter or the text of an option: A (x), B (y).',
    ],
    [
      'an answer by index',
      { type: 'mcq_single', choices: ['x', 'y'], answer: 1 },
      'answer: must be the letter or the text of an option: A (x), B (y).',
    ],
    [
      'a set with a stranger',
      { type: 'mcq_multi', choices: ['x', 'y'], answer: ['A', 'C'] },
      'answer: must be a list of letters or texts of options, each once: A (x), B (y).',
    ],
    [
      'a set with a letter twice',
      { type: 'mcq_multi', choices: ['x', 'y'], answer: ['A', 'x'] },
      'answer: must be a list of letters or texts of options, each once: A (x), B (y).',
    ],
    ['a checker for another type', { checker: { kind: 'choice' } }, 'checker: choice is for mcq_single.'],
    [
      'a pattern that is none',
      { type: 'regex', answer: undefined, checker: { kind: 'regex', pattern: '(' } },
      'checker.pattern:',
    ],
    ['a pattern that looks around', { type: 'regex', answer: '(?=a)b' }, 'lookaround'],
    ['a pattern that explodes', { type: 'regex', answer: '((a{100}){100}){100}' }, 'answer:'],
    [
      'a flag that is none',
      { type: 'regex', answer: undefined, checker: { kind: 'regex', pattern: 'a', flags: 'g' } },
      'may hold i, s and m, each once',
    ],
    ['a negative tolerance', { checker: { kind: 'numeric', abs_tol: -1 } }, 'checker.abs_tol'],
    ['a checker that is unknown', { checker: { kind: 'magic' } }, 'checker.kind'],
  ])('refuses %s', (_, change, message) => {
    const report = parseJsonl(line({ ...numeric, ...change }));
    expect(report.accepted).toBe(0);
    expect(report.problems[0]?.message).toContain(message);
  });

  test('an item id may be the name of an inherited property', () => {
    const report = parseJsonl(line({ ...numeric, id: 'constructor' }) + line({ ...numeric, id: 'toString' }));
    expect(report.accepted).toBe(2);
  });
});

describe('the version hash', () => {
  test('follows RFC 8785: neither the order of fields nor white space matters', () => {
    const report = parseJsonl('{ "prompt_text": "6 × 7?", "answer": 42.0, "id": "a",\t"type": "numeric" }\n');
    expect(report.version_hash).toBe(versionHash(parseJsonl(line(numeric)).items));
    // SHA-256 of the canonical text, made by sha256sum.
    expect(report.version_hash).toBe('dcd0bb502aa71e9aa9fd22dca675d6a7a15e1046a0f97621bf7a746501b66bed');
  });

  test.each<[string, Record<string, unknown>]>([
    ['answer', { answer: 43 }],
    ['prompt', { prompt_text: '6 × 8?' }],
    ['tolerance', { checker: { kind: 'numeric', abs_tol: 1 } }],
    ['section', { section: 'other' }],
    ['meta', { meta: { source: 'x' } }],
  ])('changes with the %s', (_, change) => {
    const [before, after] = [numeric, { ...numeric, ...change }].map((item) => parseJsonl(line(item)).version_hash);
    expect(before).not.toBe(after);
  });

  test('changes with the order of items', () => {
    expect(versionHash([...ITEMS].reverse())).not.toBe(versionHash(ITEMS));
  });
});

describe('a dataset bundle', () => {
  const manifest = (change: Record<string, unknown> = {}): string =>
    JSON.stringify({
      format: 'eval752.dataset.v1',
      exported_at: NOW.toISOString(),
      dataset: { id: 'ds-1', name: 'Sample' },
      version_hash: DATASET.version_hash,
      item_count: ITEMS.length,
      ...change,
    });
  const bundle = (files: Record<string, string>): Buffer =>
    writeZip(
      Object.entries(files).map(([name, text]) => ({ name, text })),
      NOW,
    );

  test('survives a round trip, and has the same bytes every time', async () => {
    const bytes = writeBundle(DATASET, NOW);
    expect(writeBundle(DATASET, NOW).equals(bytes)).toBe(true);
    expect(await readBundle(bytes)).toEqual(DATASET);
  });

  test('can contain any text of a dataset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 5 }), async (prompts) => {
        const lines = prompts
          .map((prompt, index) => line({ ...numeric, id: `i${index}`, prompt_text: `?${prompt}` }))
          .join('');
        const { items, problems } = parseJsonl(lines);
        fc.pre(problems.length === 0);
        const dataset = datasetOf(items);
        expect(await readBundle(writeBundle(dataset, NOW))).toEqual(dataset);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    [
      'a changed answer',
      { 'manifest.json': manifest(), 'items.jsonl': toJsonl(ITEMS).replace('quokka', 'wombat') },
      'archive_invalid',
      'version_mismatch',
    ],
    [
      'a line too few',
      { 'manifest.json': manifest(), 'items.jsonl': toJsonl(ITEMS.slice(1)) },
      'archive_invalid',
      'count_mismatch',
    ],
    ['a bad line', { 'manifest.json': manifest(), 'items.jsonl': `${toJsonl(ITEMS)}{}\n` }, 'dataset_invalid', 'item'],
    [
      'another format',
      { 'manifest.json': manifest({ format: 'other' }), 'items.jsonl': toJsonl(ITEMS) },
      'archive_invalid',
      'schema',
    ],
    [
      'a file too many',
      { 'manifest.json': manifest(), 'items.jsonl': toJsonl(ITEMS), 'x.js': '' },
      'archive_unsafe',
      'entry_count',
    ],
    ['a capture instead', { 'manifest.json': manifest(), 'results.jsonl': '' }, 'archive_unsafe', 'name_not_allowed'],
  ])('with %s is refused', async (_, files, code, rule) => {
    const refusal = await readBundle(bundle(files)).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(WaymarkError);
    expect(refusal).toMatchObject({ code, issues: [{ code: rule }] });
  });
});
