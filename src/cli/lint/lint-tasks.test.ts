import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseTask } from '../../cases/index.ts';
import { lintTask, lintTasks } from './lint-tasks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: unknown): string => {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};
const moves = (count: number) => Array.from({ length: count }, () => ({ action: { action: 'read' } }));
write('oracle.json', { format: 'waymark.transcript.v1', task: 'good', moves: moves(3) });
write('long.json', { format: 'waymark.transcript.v1', task: 'good', moves: moves(31) });
write('other.json', { format: 'waymark.transcript.v1', task: 'other', moves: moves(1) });
write('secret.json', {
  format: 'waymark.transcript.v1',
  task: 'good',
  moves: [{ action: { action: 'type', text: '{{secret:SHOP_KEY}}' } }],
});
write('nonsense.json', { format: 'waymark.transcript.v1', moves: 'none' });
const recording = (url: string) => ({
  format: 'waymark.recording.v1',
  source: 'by hand',
  entries: [{ method: 'GET', url, status: 200, headers: [], body: '' }],
});
write('site.rec.json', recording('https://shop.com/'));

const good = {
  id: 'good',
  title: 'Read about mountains',
  startUrl: 'http://fixtures.waymark.test/list',
  goal: 'Open the article about mountains.',
  success: { kind: 'dom_text', selector: 'h1', contains: 'Mountains' },
  oracle: 'oracle.json',
} as const;

function rules(changes: Record<string, unknown>): string[] {
  const parsed = parseTask({ ...good, ...changes });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return lintTask({ task: parsed.task, source: 'good.task.json', folder }).map(
    ({ rule, severity, path: at }) => `${severity} ${rule} ${at}`,
  );
}

test('a good task has no finding', () => {
  expect(rules({})).toEqual([]);
});

describe('contracts', () => {
  const contract = (success: unknown): string[] => rules({ success });
  test.each<[string, unknown]>([
    ['an empty text', { kind: 'dom_text', contains: '' }],
    ['an empty pattern', { kind: 'url', pattern: '' }],
    ['a pattern that matches all', { kind: 'url', pattern: '.*' }],
    ['a count of at least 0', { kind: 'dom_count', selector: 'p', op: 'gte', value: 0 }],
    ['console lines of at least 0', { kind: 'console', schema_version: 1, op: 'gte', value: 0, max_age_ms: 1000 }],
  ])('that anything satisfies are errors: %s', (_name, success) => {
    expect(contract(success)).toEqual(['error empty_contract $.success', 'warning vacuous_assertion $.success']);
  });

  test.each<[string, unknown]>([
    ['only that nothing bad is there', { kind: 'not', child: { kind: 'dom_text', contains: 'Error' } }],
    ['only that there is no dialog', { kind: 'no_dialog' }],
    ['one of two, of which one always holds', { kind: 'or', children: [good.success, { kind: 'no_dialog' }] }],
  ])('that hold when nothing is done are errors: %s', (_name, success) => {
    expect(contract(success)).toEqual(['error empty_contract $.success']);
  });

  test('that the start URL satisfies are errors', () => {
    expect(contract({ kind: 'url', pattern: '^http://fixtures' })).toEqual(['error holds_at_start $.success']);
    expect(contract({ kind: 'url', pattern: '/article' })).toEqual([]);
  });

  test('an assertion that always holds is a warning if others can fail', () => {
    const success = { kind: 'and', children: [good.success, { kind: 'not', child: { kind: 'url', pattern: '' } }] };
    expect(contract(success)).toEqual(['warning vacuous_assertion $.success.children.1.child']);
    expect(contract({ kind: 'and', children: [good.success, { kind: 'no_dialog' }] })).toEqual([]);
  });

  test('assertions that accept any response or any picture are found', () => {
    const network = { kind: 'network', url_pattern: '.', status_in: [200], since: 'contract_enter' };
    expect(contract(network)).toEqual(['warning vacuous_assertion $.success']);
    expect(contract({ kind: 'screenshot_class', class_id: 'done', distance_max: 40 })).toEqual([
      'warning vacuous_assertion $.success',
    ]);
  });
});

describe('texts', () => {
  test.each([
    ['goal', 'Book a table for 2026-03-04.'],
    ['goal', 'Find the winner of 2024.'],
    ['goal', 'Book for March 3rd.'],
    ['title', 'Flights on 3 May'],
    ['startUrl', 'http://a.test/?day=04.03.2026'],
  ])('a literal date ages: %s', (field, text) => {
    expect(rules({ [field]: text })).toEqual([`warning literal_date $.${field}`]);
  });

  test('a date in the contract is found too; other numbers are not', () => {
    expect(rules({ success: { kind: 'dom_text', contains: 'Copyright 2026' } })).toEqual([
      'warning literal_date $.success.contains',
    ]);
    expect(rules({ goal: 'Add 3 items of 12345 and may go on to page 20.' })).toEqual([]);
  });

  test.each([
    ['goal', 'Log in as Ada.'],
    ['goal', 'Sign in and look.'],
    ['goal', 'Pay for the order.'],
    ['goal', 'Solve the CAPTCHA.'],
    ['startUrl', 'http://shop.test/users/login?next=/'],
  ])('accounts, payments and captchas are avoided: %s %s', (field, text) => {
    expect(rules({ [field]: text })).toEqual([`warning avoided_subject $.${field}`]);
  });

  test('words such as "today" matter on a live site only', () => {
    const goal = 'Open the latest article.';
    expect(rules({ goal })).toEqual([]);
    expect(rules({ goal, startUrl: 'https://news.site.com/' })).toContain('warning moving_target $.goal');
  });
});

describe('hosts', () => {
  test.each([
    ['https://shop.com/', {}, true],
    ['https://shop.com/', { network: { mode: 'live' } }, true],
    ['https://shop.com/', { network: { mode: 'blocked' } }, false],
    ['https://shop.com/', { network: { mode: 'replay', recording: 'site.rec.json' } }, false],
    ['http://fixtures.waymark.test/', {}, false],
    ['http://127.0.0.1:8080/', {}, false],
    ['http://localhost/', {}, false],
    ['https://latest.com/', {}, true],
  ])('%s with %j is live: %s', (startUrl, changes, live) => {
    expect(rules({ startUrl, ...changes }).includes('warning live_host $.startUrl')).toBe(live);
  });

  test('a folder with a fixture file is not live', () => {
    const own = path.join(folder, 'own');
    mkdirSync(own);
    writeFileSync(path.join(own, 'fixture.ts'), '');
    const parsed = parseTask({ ...good, startUrl: 'https://shop.com/', oracle: '../oracle.json' });
    if (!parsed.ok) throw new Error('no task');
    expect(lintTask({ task: parsed.task, source: 's', folder: own })).toEqual([]);
  });
});

describe('files and caps', () => {
  test('an oracle may use the secrets that the task names', () => {
    expect(rules({ oracle: 'secret.json', secrets: ['SHOP_KEY'] })).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no oracle', { oracle: undefined }, 'warning no_oracle $.oracle'],
    ['an oracle that is not there', { oracle: 'gone.json' }, 'error bad_oracle $.oracle'],
    ['an oracle that is none', { oracle: 'nonsense.json' }, 'error bad_oracle $.oracle'],
    ['an oracle of another task', { oracle: 'other.json' }, 'error wrong_oracle $.oracle'],
    ['an oracle that the cap cuts', { oracle: 'long.json' }, 'error oracle_over_cap $.oracle'],
    ['an oracle with an undeclared secret', { oracle: 'secret.json' }, 'error bad_oracle $.oracle'],
    [
      'a recording that is not there',
      { network: { mode: 'replay', recording: 'gone.json' } },
      'error bad_recording $.network.recording',
    ],
    [
      'a recording without the start',
      { network: { mode: 'replay', recording: 'site.rec.json' } },
      'error start_not_recorded $.network.recording',
    ],
    ['too little time', { maxDurationMs: 500 }, 'warning caps $.maxDurationMs'],
    ['the largest cap', { maxSteps: 100 }, 'warning caps $.maxSteps'],
    ['a text still to be written', { goal: 'TODO: the goal' }, 'warning placeholder $.goal'],
  ])('%s is found', (_name, changes, expected) => {
    expect(rules(changes)).toEqual([expected]);
  });
});

test('problems of the specification are errors, each with its file and path', async () => {
  const bad = write('bad.task.json', { ...good, maxSteps: 0, colour: 'red' });
  const torn = write('torn.task.json', '{');
  const { findings } = await lintTasks([bad, torn]);
  expect(findings.map(({ source, rule, severity, path: at, code }) => [source, severity, rule, at, code])).toEqual([
    [torn, 'error', 'bad_task', '$', 'not_json'],
    [bad, 'error', 'bad_task', '$.maxSteps', 'too_small'],
    [bad, 'error', 'bad_task', '$.colour', 'unknown_field'],
  ]);
});
