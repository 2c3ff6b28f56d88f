import { expect, test } from 'vitest';
import { compareRows, type Position } from './any-run.ts';
import { casesOf } from './experiment.ts';
import { filterFolderRuns, folderRun, sortFolderRuns } from './folder-runs.ts';
import { positionText, readPosition } from './position-text.ts';

const entry = {
  root: '/runs/a',
  id: 'a',
  suite: 'Shop',
  suiteHash: 'h',
  kind: 'agent' as const,
  variant: 'single (openai:gpt-5) on embedded',
  model: 'openai:gpt-5',
  experiment: 'prompts',
  startedAt: '2026-01-02T00:00:00.000Z',
  endedAt: '2026-01-02T01:00:00.000Z',
  state: 'ended' as const,
  planned: 4,
  counts: { passed: 1, counted: 4, done: 4, left: 0, faults: 0 },
};

test('what has no value comes last in either order, and what is equal is in the order of its id', () => {
  const at = (value: Position['value'], id: string): Position => ({ value, id });
  const rows = [at(2, 'b'), at(null, 'a'), at(3, 'c'), at(2, 'a')];
  const ids = (order: 'asc' | 'desc') => rows.toSorted((a, b) => compareRows(a, b, order)).map(({ id }) => id);
  expect([ids('asc'), ids('desc')]).toEqual([
    ['a', 'b', 'c', 'a'],
    ['c', 'a', 'b', 'a'],
  ]);
  // By bytes, as the collation "C" of the database: a letter beyond 16 bits comes after one below them.
  expect(compareRows(at('\u{1f600}', 'a'), at('\uffee', 'b'), 'asc')).toBeGreaterThan(0);
});

test('the place where a page ends is read again only for the list and order that it is of', () => {
  const at = { value: 0.25, id: 'x' };
  expect(readPosition('rate', positionText('rate', at))).toEqual(at);
  expect(readPosition('suite', positionText('suite', { value: null, id: 'x' }))).toEqual({ value: null, id: 'x' });
  const ofLabels = positionText('label', { value: 'x', id: 'x' });
  for (const wrong of [ofLabels, positionText('rate', at), positionText('suite', at), 'nonsense', ''])
    expect(() => readPosition('suite', wrong)).toThrow('is not one of this list in this order');
});

test('a folder is a row: a fault that was not the agent’s needs attention, a task that it did not manage does not', () => {
  expect(folderRun(entry)).toMatchObject({ state: 'completed', passed: 1, counted: 4, problem: null });
  expect(folderRun({ ...entry, counts: { ...entry.counts, faults: 2 } }).problem).toBe(
    '2 of 4 ended by a fault that was not the agent’s.',
  );
  expect(folderRun({ ...entry, counts: { ...entry.counts, done: 3, left: 1 } })).toMatchObject({
    state: 'cancelled',
    problem: '1 of 4 has not finished.',
  });
  expect(folderRun({ ...entry, state: 'stopped', endedAt: null })).toMatchObject({ state: 'stopped' });
  expect(folderRun({ ...entry, state: 'running' }).problem).toBeNull();
});

test('folders are filtered by what is known of them, and are in no list of scored or tagged runs', () => {
  const runs = [folderRun(entry), folderRun({ ...entry, id: 'b', suite: 'mail', experiment: null })];
  const ids = (filter: Parameters<typeof filterFolderRuns>[1]) => filterFolderRuns(runs, filter).map(({ id }) => id);
  expect(ids({ kind: 'agent' })).toEqual(['a', 'b']);
  expect(ids({ search: 'SHOP' })).toEqual(['a']);
  expect(ids({ experiment: 'prompts' })).toEqual(['a']);
  expect(ids({ search: 'b' })).toEqual(['a', 'b']);
  expect([ids({ tag: 'x' }), ids({ scoring: 'done' }), ids({ kind: 'model' }), ids({ attention: true })]).toEqual([
    [],
    [],
    [],
    [],
  ]);
  const sorted = sortFolderRuns(runs, { sort: 'suite', order: 'asc' });
  expect(sorted.map(({ value }) => value)).toEqual(['mail', 'shop']);
});

test('an experiment has each case in each of its runs, with the place of the attempt in its own run', () => {
  const trial = (caseId: string, number: number, outcome: 'passed' | 'failed' | 'env_error' | null) => ({
    caseId,
    trial: number,
    outcome,
    attempt: 1,
    steps: null,
    durationMs: null,
    tokens: null,
    costUsd: null,
  });
  const cases = casesOf([
    { trials: [trial('x', 1, 'passed'), trial('y', 1, 'failed')] },
    { trials: [trial('y', 1, 'env_error'), trial('y', 2, null)] },
  ]);
  expect(cases).toEqual([
    { caseId: 'x', trials: [[{ id: 'e1', trial: 1, outcome: 'passed', tone: 'good' }], []] },
    {
      caseId: 'y',
      trials: [
        [{ id: 'e2', trial: 1, outcome: 'failed', tone: 'bad' }],
        [
          { id: 'e1', trial: 1, outcome: 'env_error', tone: 'fault' },
          { id: 'e2', trial: 2, outcome: 'not_finished', tone: 'open' },
        ],
      ],
    },
  ]);
});
