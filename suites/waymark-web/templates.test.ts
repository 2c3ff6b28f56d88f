/** What holds for all templates, from their files alone; that they can be done is shown in a browser by `npm run check:web`. */
import { expect, test } from 'vitest';
import { parseTranscript } from '../../src/agents/transcript.ts';
import { parseTask } from '../../src/cases/index.ts';
import { KINDS } from './frame/template.ts';
import { SITES } from './sites/index.ts';
import instances, { TEMPLATES } from './templates.ts';

const seeds = [0, 1, 2, 3, 4];
const made = seeds.map((seed) => instances(seed));
const all = made.flat();

test('there are 60 or more templates: six or more of each site, twelve across sites, of all kinds and levels', () => {
  const ids = TEMPLATES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(60);
  for (const { name } of SITES) expect(ids.filter((id) => id.startsWith(`${name}-`)).length).toBeGreaterThanOrEqual(6);
  expect(ids.filter((id) => id.startsWith('across-')).length).toBe(12);
  expect(new Set(TEMPLATES.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  const levels = made[0]?.flatMap(({ task }) => task.tags?.filter((tag) => tag.startsWith('level-')) ?? []);
  expect(new Set(levels)).toEqual(new Set(['level-1', 'level-2', 'level-3']));
});

test('every instance is a valid task with valid transcripts, a second solution, two near misses or more and one change too many', () => {
  for (const { task, oracle, solutions, nearMisses } of all) {
    expect(parseTask(task)).toMatchObject({ ok: true });
    for (const transcript of [oracle, ...solutions, ...Object.values(nearMisses)])
      expect(parseTranscript(transcript, task.id).task).toBe(task.id);
    expect(solutions.length).toBeGreaterThanOrEqual(1);
    expect(Object.keys(nearMisses).length, task.id).toBeGreaterThanOrEqual(3);
    expect(nearMisses['one-change-more'], task.id).toBeDefined();
    expect(solutions[0]?.moves, task.id).not.toEqual(oracle.moves);
  }
});

test('the oracles of one template have the same length, give or take one step', () => {
  for (const [index, { id }] of TEMPLATES.entries()) {
    const lengths = made.map((files) => files[index]?.oracle.moves.length ?? 0);
    expect(Math.max(...lengths) - Math.min(...lengths), id).toBeLessThanOrEqual(1);
  }
});

test('instances of other seeds have other goals or other answers, and the same seed gives the same files', () => {
  for (const [index, { id }] of TEMPLATES.entries()) {
    const asked = made.map((files) => JSON.stringify([files[index]?.task.goal, files[index]?.task.graders]));
    expect(new Set(asked).size, id).toBeGreaterThanOrEqual(4);
  }
  expect(instances(2)).toEqual(made[2]);
});

test('no goal says what goes wrong, and all end with the same sentence', () => {
  const last = 'If this cannot be done exactly as described, change nothing and answer CANNOT.';
  for (const { task } of all) {
    expect(task.goal.endsWith(last)).toBe(true);
    expect(task.startUrl).toMatch(/^http:\/\/[a-z]+\.waymark\.test\/\?seed=\d+(&v=\d)?$/);
  }
});
