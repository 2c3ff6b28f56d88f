import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { urlOf } from '../../src/server/client.ts';
import type { AnyRun } from '../../web/src/api/queries.ts';
import { whyNotComparable } from '../../web/src/compare/comparable.ts';
import { inWords } from '../../web/src/compare/in-words.ts';
import { agentTable } from '../../web/src/home/agent-cells.ts';
import { failureOf } from '../../web/src/home/failure-of.ts';
import { seriesOf } from '../../web/src/home/trend-series.ts';
import { suiteTrends, type TrendPoint } from '../../web/src/home/trends.ts';
import { parseEvent } from '../../web/src/live/server-events.ts';
import { binsOf, quantile } from '../../web/src/plots/histogram.ts';
import { anyRunDetails, anyRunName, anyRunPage, isOfTestModel } from '../../web/src/runs/any-run-name.ts';
import { orderItems } from '../../web/src/runs/item-order.ts';
import { runDetails, runName } from '../../web/src/runs/run-name.ts';
import { stateTitle, statusText } from '../../web/src/runs/run-words.ts';
import { filterOf, runsSearch } from '../../web/src/runs/runs-search.ts';
import { splitTags } from '../../web/src/runs/split-tags.ts';
import { listFile } from '../../web/src/ui/list-file.ts';
import { byNumber, byText, byTime, searchRows } from '../../web/src/ui/list-order.ts';

test('a path is filled, its values encoded; what has no value is not asked for', () => {
  expect(urlOf('/runs/{id}/items', { id: 'a/b c' }, { limit: 5, after: 0, status: undefined, text: '' })).toBe(
    '/runs/a%2Fb%20c/items?limit=5&after=0',
  );
});

test('an event is read with its id, its name and its data; comments are none', () => {
  expect(parseEvent('event: items_scored\ndata: {"a":\ndata: 1}\nid: 7')).toEqual({
    id: 7,
    event: 'items_scored',
    data: { a: 1 },
  });
  expect(parseEvent(': still here')).toBeUndefined();
  expect(parseEvent('retry: 2000')).toBeUndefined();
});

test('bins have round bounds and hold every value once', () => {
  const values = [1_500, 2_400, 2_600, 9_900, 10_100];
  const bins = binsOf(values, 10);
  expect(bins[0]).toEqual({ from: 1_000, to: 2_000, count: 1 });
  expect(bins.at(-1)).toEqual({ from: 10_000, to: 11_000, count: 1 });
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
  expect(binsOf([5_000, 5_000])).toEqual([expect.objectContaining({ count: 2 })]);
  expect(binsOf([0])).toEqual([expect.objectContaining({ from: 0, count: 1 })]);
  expect(binsOf([])).toEqual([]);
  expect([quantile(values, 0.5), quantile(values, 1), quantile([], 0.5)]).toEqual([2_600, 10_100, null]);
});

const nobody = { both_pass: 0, both_fail: 0, only_a: 0, only_b: 0, unpaired: 0 };
const statistics = {
  verdict: 'not_enough_evidence' as const,
  reasons: [],
  pairs: 20,
  difference: { estimate: 0.05, interval: { low: -0.1, high: 0.2 }, standardError: 0.08, clusters: 20 },
  mcnemar: { pValue: 0.625, informative: 3 },
  signTest: { pValue: 0.625, informative: 3 },
  minimumDetectableEffect: 0.31,
  morePairsNeeded: 412,
};

test('a comparison in words says what differs, whether it is beyond noise, and what would settle it', () => {
  expect(inWords({ statistics, counts: { ...nobody, only_a: 1, only_b: 2, both_pass: 17 } })).toEqual({
    headline: 'Not enough evidence to tell them apart',
    sentences: [
      'Of the 20 items that were scored in both, B passes 5.0 points more than A (2 only by B, 1 only by A).',
      'With 95 % confidence, the difference lies between −10.0 points and +20.0 points, so there may be none.',
      "McNemar's exact test gives p = 0.625 on the 3 items in which they differ.",
      'With so many items, a difference of 31 points or more would usually be seen.',
      'To settle a difference of this size, some 412 further items would be needed.',
    ],
  });
  const clear = { ...statistics, verdict: 'worse' as const, difference: { ...statistics.difference, estimate: -0.4 } };
  expect(inWords({ statistics: clear, counts: { ...nobody, only_a: 9, only_b: 1 } })).toMatchObject({
    headline: 'B is worse than A, beyond noise',
    sentences: [expect.stringContaining('B passes 40.0 points fewer than A'), expect.any(String), expect.any(String)],
  });
  expect(inWords({ statistics: { ...statistics, pairs: 0 }, counts: nobody }).headline).toBe(
    'Nothing can be compared yet',
  );
});

test('a run goes by its label; without one, by its dataset and provider', () => {
  const run = {
    label: '',
    dataset: { id: 'd', name: 'Geography', version_hash: '0', is_current: true },
    provider: { id: 'p', name: 'ChatGPT Web', surface: 'browser' as const, browser_target: null },
    model: 'GPT-5',
    model_labels: ['GPT-5'],
  };
  expect([runName(run), runDetails(run)]).toEqual(['Geography on ChatGPT Web', 'GPT-5']);
  const labelled = { ...run, label: 'Baseline', model: null, model_labels: [] };
  expect([runName(labelled), runDetails(labelled)]).toEqual(['Baseline', 'Geography on ChatGPT Web']);
});

test('failures come first, then what could not be graded, then what passed; or as in the dataset, or the slowest first', () => {
  const item = (id: string, seq: number, latency_ms: number | null, of: object) => ({
    id,
    seq,
    timing: { latency_ms },
    ...of,
  });
  const scored = (verdict: string) => ({ status: 'answered', scores: [{ verdict: 'fail' }, { verdict }] });
  const items = [
    item('passed', 1, 20, scored('pass')),
    item('not scored', 2, null, { status: 'answered', scores: [] }),
    item('no answer', 3, null, { status: 'missing', scores: [{ verdict: 'skipped' }] }),
    item('failed', 4, 10, scored('fail')),
    item('could not be asked', 5, 30, { status: 'error', scores: [{ verdict: 'skipped' }] }),
    item('could not be graded', 6, null, scored('error')),
    item('failed as well', 7, null, scored('fail')),
  ] as unknown as Parameters<typeof orderItems>[0];
  const ids = (sort?: 'order' | 'slowest') => orderItems(items.toReversed(), sort).map(({ id }) => id);
  expect(ids()).toEqual([
    'failed',
    'failed as well',
    'could not be asked',
    'could not be graded',
    'no answer',
    'not scored',
    'passed',
  ]);
  expect(ids('order')).toEqual(items.map(({ id }) => id));
  expect(ids('slowest').slice(0, 3)).toEqual(['could not be asked', 'passed', 'failed']);
});

test('the state of a run and of an item is named in ordinary words', () => {
  expect(stateTitle('failed')).toBe('The run failed');
  expect(stateTitle('cancelled')).toBe('The run was cancelled');
  expect(statusText('error', 'browser')).toBe('capture error');
  expect(statusText('error', 'api')).toBe('call error');
  expect(statusText('missing', 'api')).toBe('missing');
});

test('tags are split at commas, once each', () => {
  expect(splitTags(' nightly,  gpt 5 ,nightly, ,')).toEqual(['nightly', 'gpt 5']);
  expect(splitTags('  ')).toEqual([]);
});

test('a list is searched by all its words, and ordered by name, number or time; what is not known comes last', () => {
  const rows = [
    { name: 'item 10', size: 3, at: null },
    { name: 'Item 9', size: null, at: '2026-01-02T00:00:00Z' },
    { name: 'other', size: 7, at: '2026-01-03T00:00:00Z' },
  ];
  const names = (found: readonly { name: string }[]) => found.map(({ name }) => name);
  expect(names(searchRows(rows, 'ITEM 9', ({ name }) => [name]))).toEqual(['Item 9']);
  expect(names(searchRows(rows, ' ', ({ name }) => [name]))).toHaveLength(3);
  type Row = (typeof rows)[number];
  expect(names(rows.toSorted(byText(({ name }: Row) => name)))).toEqual(['Item 9', 'item 10', 'other']);
  expect(names(rows.toSorted(byNumber(({ size }: Row) => size)))).toEqual(['other', 'item 10', 'Item 9']);
  expect(names(rows.toSorted(byTime(({ at }: Row) => at)))).toEqual(['other', 'Item 9', 'item 10']);
});

test('a list is saved as CSV that no spreadsheet takes for formulas, and as JSON with the same names', () => {
  const columns = [
    { name: 'name', value: ({ name }: { name: string; size: number }) => name },
    { name: 'size', value: ({ size }: { size: number }) => size },
  ];
  const rows = [{ name: '=1+1', size: 2 }];
  expect(listFile('csv', columns, rows)).toBe('"name","size"\r\n"\'=1+1",2\r\n');
  expect(JSON.parse(listFile('json', columns, rows))).toEqual([{ name: '=1+1', size: 2 }]);
});

test('why a run is among those that failed: the run first, then its scoring, then its items', () => {
  expect(failureOf({ state: 'completed', scoring: 'done' })).toBe('items');
  expect(failureOf({ state: 'completed', scoring: null })).toBe('items');
  expect(failureOf({ state: 'completed', scoring: 'blocked' })).toBe('scoring');
  expect(failureOf({ state: 'failed', scoring: 'blocked' })).toBe('state');
  expect(failureOf({ state: 'stopped', scoring: null })).toBe('state');
});

const anyRun = {
  id: 'r1',
  place: 'folder',
  kind: 'agent',
  label: '',
  suite: { id: null, name: 'shop', hash: 'h1' },
  variant: { id: null, name: 'single on embedded' },
  model: null,
  experiment: null,
} as const;
const stored = { ...anyRun, place: 'database', kind: 'model', suite: { id: 'd', name: 'Geo', hash: 'v' } } as const;

test('a run of any kind is named after its label, or after what it is about', () => {
  expect([anyRunName(anyRun), anyRunDetails(anyRun), anyRunPage(anyRun)]).toEqual([
    'shop, single on embedded',
    '',
    '/folders/$id',
  ]);
  expect(anyRunName({ ...anyRun, suite: { ...anyRun.suite, name: '' } })).toBe('r1');
  const labelled = { ...stored, label: 'May', variant: { id: 'p', name: 'OpenAI' }, model: 'gpt-5' };
  expect([anyRunName(labelled), anyRunDetails(labelled), anyRunPage(labelled)]).toEqual([
    'May',
    'Geo on OpenAI · gpt-5',
    '/runs/$id',
  ]);
});

test('the model is among the details unless the variant names it, whatever else has its name', () => {
  const named = { ...anyRun, model: 'gpt-5', variant: { id: null, name: 'single (gpt-5) on embedded' } };
  expect(anyRunDetails(named)).toBe('');
  expect(anyRunDetails({ ...named, variant: { id: null, name: 'mine on embedded' } })).toBe('gpt-5');
  const ofDataset = { ...stored, suite: { ...stored.suite, name: 'gpt-5 questions' }, model: 'gpt-5' };
  expect(anyRunDetails({ ...ofDataset, variant: { id: 'p', name: 'OpenAI' } })).toBe('gpt-5');
});

test('runs of the test model are told from others, by any of their models', () => {
  const models = ['openai-compatible:test:oracle', 'openai:gpt-5, openai-compatible:test', 'test:liar', 'openai:gpt-5'];
  expect([...models, null].map((model) => isOfTestModel({ model }))).toEqual([true, true, true, false, false]);
});

test('of each agent on each suite the newest run is shown, and whether it had the tasks of the newest of all', () => {
  const run = (id: string, changes: object) =>
    ({
      ...anyRun,
      id,
      rate: 0.5,
      interval: { low: 0.1, high: 0.9 },
      createdAt: '2026-01-01T00:00:00Z',
      ...changes,
    }) as unknown as AnyRun;
  const suite = (name: string, hash: string) => ({ suite: { id: null, name, hash } });
  const variant = { id: null, name: 'other on embedded' };
  const { suites, rows } = agentTable([
    run('unrated', { rate: null, interval: null }),
    run('new', suite('shop', 'h2')),
    run('unknown', suite('', '')),
    run('earlier', { ...suite('shop', 'h2'), rate: 1 }),
    run('mail', suite('mail', 'm1')),
    run('before', { ...suite('shop', 'h1'), variant, rate: 1 }),
  ]);
  expect(suites).toEqual(['shop', 'mail']);
  const shown = rows.map(({ agent, cells }) => [
    agent,
    ...[...cells.values()].map((cell) => [cell.run.id, cell.run.rate, cell.isCurrent]),
  ]);
  expect(shown).toEqual([
    ['single on embedded', ['new', 0.5, true], ['mail', 0.5, true]],
    ['other on embedded', ['before', 1, false]],
  ]);
});

test('what can not be compared is said before it is asked for', () => {
  expect(whyNotComparable(anyRun, { ...anyRun, suite: { ...anyRun.suite, hash: 'other' } })).toBeUndefined();
  expect(whyNotComparable(stored, stored)).toBeUndefined();
  expect(whyNotComparable(stored, { ...stored, suite: { ...stored.suite, hash: 'w' } })).toContain('same version');
  expect(whyNotComparable(stored, anyRun)).toContain('questions and the other of an agent’s tasks');
  expect(whyNotComparable(stored, { ...anyRun, kind: 'model' })).toContain('in a folder');
});

test('links of earlier versions lead to the same runs', () => {
  expect(runsSearch({ dataset: 'd', provider: 'p', surface: 'browser', status: 'failed', sort: 'nonsense' })).toEqual({
    suite: 'd',
    variant: 'p',
    kind: 'capture',
    state: 'failed',
  });
  expect(filterOf(runsSearch({ sort: 'best', text: 'x' }))).toMatchObject({ search: 'x', sort: 'rate', order: 'desc' });
});

test('a suite has a trend where an agent was run again on the same tasks', () => {
  const run = (id: string, hash: string, agent: string, changes: object = {}) =>
    ({
      ...anyRun,
      id,
      suite: { id: null, name: 'shop', hash },
      variant: { id: null, name: agent },
      rate: 0.5,
      interval: { low: 0.1, high: 0.9 },
      createdAt: '2026-01-01T00:00:00Z',
      ...changes,
    }) as unknown as AnyRun;
  const trends = suiteTrends([
    run('unrated', 'h1', 'a', { rate: null, interval: null }),
    run('4', 'h1', 'a', { model: 'openai-compatible:test:oracle' }),
    run('once', 'h2', 'a'),
    run('3', 'h1', 'b'),
    run('other', 'h2', 'b'),
    run('2', 'h1', 'a', { model: 'openai-compatible:test:oracle' }),
  ]);
  expect(trends.map(({ name, points }) => [name, points.map(({ runId, series }) => `${runId} ${series}`)])).toEqual([
    ['shop', ['2 a · test model', '3 b', '4 a · test model']],
  ]);
});

test('a trend has a series per model, the one that ran last first, with evenly spaced runs', () => {
  const point = (runId: string, series: string) => ({ runId, series }) as TrendPoint;
  const series = seriesOf([point('1', 'a'), point('2', 'b'), point('3', 'a')]);
  expect(series.map(({ name, points }) => [name, points.map(({ at }) => at)])).toEqual([
    ['a', [0, 1]],
    ['b', [0.5]],
  ]);
  expect(seriesOf([point('1', 'a')])[0]?.points[0]?.at).toBe(0.5);
});

/** What a new user could not make sense of, and what stands there now. */
const ODD = [
  'The run is failed',
  'By the clock instead',
  'Most items',
  'Good for',
  "'Try'",
  '>Try<',
  'items scored.',
  '1 items',
];
test('phrases that were hard to understand are in no page of the web app', () => {
  const folder = path.resolve(import.meta.dirname, '../../web/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((name) => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    return ODD.filter((phrase) => source.includes(phrase)).map((phrase) => `${name}: ${phrase}`);
  });
  expect(found).toEqual([]);
});
