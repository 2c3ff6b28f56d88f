/** Runs of the database and of folders in one list: order, pages, filters, totals; and compared, wherever they are kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import {
  ANY_RUN_SORTS,
  type AnyRun,
  type AnyRunFilter,
  anyRunOf,
  compareAnyRuns,
  compareRunFolders,
  DatabaseRunStore,
  databaseSource,
  fetchRun,
  listAnyRuns,
  RunFolders,
  type RunPlaces,
  readExperiment,
  runChoices,
  SampleReader,
} from '../../src/runs/index.ts';
import { FolderArtifacts, openStore, type Store, schema } from '../../src/store/index.ts';
import { verdictSentence } from '../../src/view/index.ts';
import { recordEpisodes, storeEpisodes } from '../support/made-episodes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-any-runs-'));
const runs = path.join(folder, 'runs');
const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));
let store: Store;
let places: RunPlaces;
let samples: SampleReader;
const ids: Record<string, string> = {};
let datasetId: string;

const CASES = ['a', 'b', 'c'];
const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

beforeAll(async () => {
  store = await openStore({ data: path.join(folder, 'data'), snapshot: await cachedSnapshot() });
  const [dataset] = await store.db
    .insert(schema.dataset)
    .values({ name: 'Geography', versionHash: 'a'.repeat(64), itemCount: 4 })
    .returning({ id: schema.dataset.id });
  const [provider] = await store.db
    .insert(schema.provider)
    .values({ surface: 'api', name: 'Models', kind: 'openai' })
    .returning({ id: schema.provider.id });
  datasetId = dataset?.id ?? '';
  const question = (created: string, more: Partial<typeof schema.run.$inferInsert>) => ({
    datasetId,
    datasetVersionHash: 'a'.repeat(64),
    providerId: provider?.id ?? null,
    providerSurface: 'api' as const,
    status: 'completed' as const,
    gradingStatus: 'done' as const,
    triggeredBy: 'manual' as const,
    itemCount: 4,
    createdAt: new Date(created),
    ...more,
  });
  await store.db.insert(schema.run).values([
    question(day(2), { label: 'Émile', model: 'm-1', counts: { scored: 4, passed: 3 }, costUsd: 0.5 }),
    question(day(4), { label: 'zebra', model: 'm-2', counts: { scored: 4, passed: 1, errored: 1 }, tags: ['night'] }),
    question(day(4), {
      label: '',
      counts: {},
      status: 'failed',
      statusReason: 'The key is wrong.',
      gradingStatus: 'none',
    }),
  ]);
  const database = new DatabaseRunStore({ store, artifacts });
  const passesA = (caseId: string) => caseId !== 'c';
  ids['stored'] = await storeEpisodes(database, {
    cases: CASES,
    createdAt: day(3),
    experiment: 'servers',
    server: 'playwright',
    passes: passesA,
  });
  const folderRun = (name: string, more: Partial<Parameters<typeof recordEpisodes>[1]>) =>
    recordEpisodes(path.join(runs, name), { cases: CASES, createdAt: day(1), passes: () => true, ...more });
  ids['old'] = await folderRun('old', { suite: 'Mail' });
  ids['new'] = await folderRun('new', { createdAt: day(5), experiment: 'servers' });
  ids['same'] = await folderRun('same', { createdAt: day(4), passes: () => false });
  ids['other'] = await folderRun('other', { createdAt: day(6), cases: ['x'] });
  // The same run in a folder: it is listed once.
  await fetchRun({ store, artifacts }, ids['stored'] ?? '', path.join(runs, 'fetched'));
  const folders = new RunFolders([runs], (id) => databaseSource({ store, artifacts }, id));
  places = { db: store.db, folders };
  samples = new SampleReader({ store, artifacts, folders });
}, 300_000);
afterAll(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const list = (filter: AnyRunFilter = {}, page: Partial<Parameters<typeof listAnyRuns>[2]> = {}) =>
  listAnyRuns(places, filter, { sort: 'created', order: 'desc', limit: 500, ...page });
const nameOf = ({ id, label, problem }: AnyRun): string =>
  Object.entries(ids).find(([, known]) => known === id)?.[0] ?? (label === '' ? (problem ?? '') : label);

test('the newest come first, whatever they are and wherever they are kept; a run that was fetched is one run', async () => {
  const { runs: all, total, next } = await list();
  expect(all.map(({ createdAt }) => createdAt)).toEqual([6, 5, 4, 4, 4, 3, 2, 1].map(day));
  expect(all.filter(({ createdAt }) => createdAt === day(4)).map(({ id }) => id)).toEqual(
    all
      .filter(({ createdAt }) => createdAt === day(4))
      .map(({ id }) => id)
      .sort(),
  );
  expect([total, next]).toEqual([8, null]);
  const stored = all.find(({ id }) => id === ids['stored']);
  expect(stored).toMatchObject({
    place: 'database',
    kind: 'agent',
    suite: { id: null, name: 'shop' },
    variant: { id: null, name: 'scripted on playwright' },
    experiment: 'servers',
    state: 'completed',
    scoring: null,
    planned: 3,
    done: 3,
    passed: 2,
    counted: 3,
  });
  expect(await anyRunOf(places, ids['new'] ?? '')).toMatchObject({ place: 'folder', passed: 3, counted: 3 });
  await expect(anyRunOf(places, 'nope')).rejects.toThrow('There is no run nope.');
});

test.each(ANY_RUN_SORTS)('pages by %s hold every run once, in one order, in both directions', async (sort) => {
  for (const order of ['asc', 'desc'] as const) {
    const whole = await list({}, { sort, order });
    const paged: string[] = [];
    for (let after: string | undefined; ; ) {
      const { runs: some, next } = await list({}, { sort, order, after, limit: 3 });
      paged.push(...some.map(({ id }) => id));
      if (next === null) break;
      after = next;
    }
    expect(paged).toEqual(whole.runs.map(({ id }) => id));
    expect(new Set(paged).size).toBe(8);
  }
});

test('names are sorted without case by their bytes in the database as in folders, and none comes last', async () => {
  const labels = (await list({}, { sort: 'label', order: 'asc' })).runs.map(({ label }) => label);
  expect(labels).toEqual(['zebra', 'Émile', '', '', '', '', '', '']);
  const suites = (await list({}, { sort: 'suite', order: 'asc' })).runs.map(({ suite }) => suite.name);
  expect(suites).toEqual(['Geography', 'Geography', 'Geography', 'Mail', 'shop', 'shop', 'shop', 'shop']);
  const rates = (await list({}, { sort: 'rate', order: 'desc' })).runs.map(({ passed, counted }) =>
    passed === null || !counted ? null : passed / counted,
  );
  expect(rates).toEqual([1, 1, 1, 0.75, 2 / 3, 0.25, 0, null]);
});

test('a filter is one for both places, and counts both', async () => {
  const names = async (filter: AnyRunFilter) => {
    const { runs: found, total } = await list(filter);
    expect(total).toBe(found.length);
    return found.map(nameOf);
  };
  expect(await names({ kind: 'agent' })).toEqual(expect.arrayContaining(['other', 'new', 'same', 'stored', 'old']));
  expect(await names({ kind: 'model', state: 'failed' })).toEqual(['The key is wrong.']);
  expect(await names({ experiment: 'servers' })).toEqual(['new', 'stored']);
  expect(await names({ suite: 'Mail' })).toEqual(['old']);
  expect(await names({ suite: 'shop', variant: 'scripted on playwright' })).toEqual(['stored']);
  expect((await names({ suite: datasetId })).length).toBe(3);
  expect((await names({ suite: 'Geography' })).length).toBe(3);
  expect(await names({ tag: 'night' })).toEqual(['zebra']);
  expect(await names({ search: 'PLAYWRIGHT' })).toEqual(['stored']);
  expect(await names({ search: 'servers' })).toEqual(['new', 'stored']);
  expect(await names({ search: '100%' })).toEqual([]);
  expect((await names({ attention: true })).sort()).toEqual(['The key is wrong.', 'zebra']);
  expect(await runChoices(places)).toMatchObject({
    suites: [{ value: datasetId, name: 'Geography' }, { value: 'Mail' }, { value: 'shop' }],
    variants: [{ name: 'Models' }, { value: 'scripted on embedded' }, { value: 'scripted on playwright' }],
    experiments: ['servers'],
  });
});

test('a run of the database is compared with one in a folder as the command compares two folders', async () => {
  const [a, b] = [ids['new'] ?? '', ids['stored'] ?? ''];
  const view = await compareAnyRuns(samples, { a, b });
  const { comparisons } = await compareRunFolders([path.join(runs, 'new'), path.join(runs, 'fetched')]);
  expect(view).toMatchObject({
    verdict: comparisons[0]?.overall.verdict,
    pairs: 3,
    difference: { estimate: comparisons[0]?.overall.difference.estimate },
    discordant: [{ caseId: 'c', trial: 1, outcomes: { a: 'passed', b: 'failed' } }],
    parted: [
      {
        caseId: 'c',
        a: { attempt: 'e3', step: 4, picture: 'screenshots/002.jpg' },
        b: { attempt: 'e3', step: 4, picture: 'screenshots/002.jpg' },
      },
    ],
  });
  const [comparison] = comparisons;
  expect(comparison && view.headline).toBe(comparison && verdictSentence(comparison));
});

test('what can not be compared is refused with a sentence', async () => {
  const { runs: found } = await list({ kind: 'model' });
  const question = found[0]?.id ?? '';
  const run = ids['new'] ?? '';
  const refused = (a: string, b: string) => expect(compareAnyRuns(samples, { a, b })).rejects;
  await refused(run, question).toThrow('is of questions of a stored dataset');
  await refused(run, ids['other'] ?? '').toThrow('have no case in common');
  await refused(run, run).toThrow('was to be compared with itself');
  await refused(run, 'nope').toThrow('There is no run nope.');
});

test('an experiment has its runs, oldest first, and each case in each of them', async () => {
  const { runs: of, cases, leftOut } = await readExperiment(places, samples, 'servers');
  expect(of.map(({ run, strict }) => [run.id, strict.passed])).toEqual([
    [ids['stored'], 2],
    [ids['new'], 3],
  ]);
  expect(cases.map(({ caseId, trials }) => [caseId, ...trials.flat().map(({ outcome }) => outcome)])).toEqual([
    ['a', 'passed', 'passed'],
    ['b', 'passed', 'passed'],
    ['c', 'failed', 'passed'],
  ]);
  expect(leftOut).toBe(0);
  await expect(readExperiment(places, samples, 'none')).rejects.toThrow('No run is of the experiment none.');
});

test('a run that workers execute is looked at as one in a folder: rows, an attempt, its picture', async () => {
  const run = await places.folders?.open(ids['stored'] ?? '');
  const view = run?.view();
  expect(view?.attempts.map(({ caseId, status }) => [caseId, status])).toEqual([
    ['a', 'passed'],
    ['b', 'passed'],
    ['c', 'failed'],
  ]);
  expect(run?.isRunning).toBe(false);
  expect((await run?.attempt('e3'))?.steps.filter(({ step }) => step > 0)).toHaveLength(2);
  const cell = run?.cellOf('e3');
  const picture = cell && (await run?.source.picture(cell, '002.jpg'));
  expect(picture?.length).toBeGreaterThan(60);
  expect(cell && (await run?.source.picture(cell, '999.jpg'))).toBeUndefined();
});

test('an agent without a name is told by its model, in both places alike: in names, filters, order and search', async () => {
  const configs = {
    one: { model: 'openai-compatible:Qwen at 127.0.0.1:8080', observe: 'text' },
    team: { orchestratorModel: 'openai:big', executorModel: 'openai:small' },
    twins: { orchestratorModel: 'openai:big', executorModel: 'openai:big' },
  };
  const names = {
    one: 'single (openai-compatible:Qwen) on embedded',
    team: 'single (openai:big, openai:small) on embedded',
    twins: 'single (openai:big) on embedded',
  };
  for (const [name, config] of Object.entries(configs)) {
    const made = { cases: ['m'], suite: 'models', createdAt: day(7), passes: () => true, config };
    const inFolder = await recordEpisodes(path.join(runs, name), made);
    const stored = await storeEpisodes(new DatabaseRunStore({ store, artifacts }), made);
    const variant = names[name as keyof typeof names];
    const { runs: found } = await list({ variant });
    expect(found.map(({ id }) => id).sort()).toEqual([inFolder, stored].sort());
    for (const run of found) expect(`single (${run.model}) on embedded`).toBe(variant);
  }
  expect((await list({ search: 'SMALL' })).total).toBe(2);
  const { runs: ordered } = await list({ suite: 'models' }, { sort: 'model', order: 'asc' });
  expect(ordered.map(({ model }) => model)).toEqual(
    ['openai-compatible:Qwen', 'openai:big', 'openai:big, openai:small'].flatMap((model) => [model, model]),
  );
  const { variants } = await runChoices(places);
  expect(variants.map(({ value }) => value)).toEqual(expect.arrayContaining(Object.values(names)));
});
