import { expect, test } from 'vitest';
import type { Transcript } from '../../agents/transcript.ts';
import type { GivenTranscript } from './given-transcripts.ts';
import { judgeGiven, judgeNearMiss, judgeNothingDone, judgeOracle } from './judge-trials.ts';
import type { NearMiss } from './near-misses.ts';
import type { TrialEnd } from './run-trials.ts';

const transcript: Transcript = { format: 'waymark.transcript.v1', task: 'a', moves: [] };
const end = (changes: Partial<TrialEnd>): TrialEnd => ({
  ...{ passed: false, outcome: 'failed', reason: 'No.', heldAtStart: false, steps: 3 },
  ...{ endState: 'http://a.test/ 1', writes: new Set<number>(), folder: 'f' },
  ...changes,
});
const passed = (endState?: string): TrialEnd => end({ passed: true, outcome: 'passed', endState });
const oracle = passed('http://a.test/done 1');
const miss = (kind: NearMiss['kind'], changes: Partial<NearMiss> = {}): NearMiss => ({
  ...{ kind, step: 2, about: 'without step 2 (click #a)', transcript },
  ...changes,
});
const rules = (found: { rule: string }[]): string[] => found.map(({ rule }) => rule);

test('an oracle passes, and with all its steps', () => {
  expect(judgeOracle(oracle, 3)).toEqual([]);
  expect(rules(judgeOracle(oracle, 4))).toEqual(['oracle_ends_early']);
  expect(rules(judgeOracle(end({ outcome: 'env_error' }), 3))).toEqual(['oracle_fails']);
});

test('doing nothing fails; a task may say that its start page passes', () => {
  expect(judgeNothingDone(end({}), undefined)).toEqual([]);
  expect(rules(judgeNothingDone(passed(), undefined))).toEqual(['no_op_passes']);
  expect(rules(judgeNothingDone({ ...passed(), heldAtStart: true }, undefined))).toEqual(['start_passes']);
  expect(rules(judgeNothingDone({ ...passed(), heldAtStart: true }, 'Why.'))).toEqual(['start_passes_on_purpose']);
  expect(rules(judgeNothingDone(end({ outcome: 'env_error' }), undefined))).toEqual(['not_judged']);
});

test.each<[NearMiss['kind'], same: string[], other: string[]]>([
  ['dropped_step', ['step_not_needed'], ['step_not_checked']],
  ['wrong_value', ['value_not_needed'], ['value_not_checked']],
  ['repeated_step', [], ['repetition_not_checked']],
  ['wrong_answer', ['answer_not_checked'], ['answer_not_checked']],
])('a near miss that passes (%s) is told by its last page', (kind, same, other) => {
  expect(rules(judgeNearMiss(miss(kind), passed('http://a.test/done 1'), oracle))).toEqual(same);
  expect(rules(judgeNearMiss(miss(kind), passed('http://a.test/done 2'), oracle))).toEqual(other);
  // A page that did not answer shows nothing.
  expect(rules(judgeNearMiss(miss(kind), passed(undefined), passed(undefined)))).toEqual(other);
  expect(judgeNearMiss(miss(kind), end({}), oracle)).toEqual([]);
  expect(judgeNearMiss(miss(kind), end({ outcome: 'adapter_error' }), oracle)).toEqual([]);
  expect(rules(judgeNearMiss(miss(kind), end({ outcome: 'env_error' }), oracle))).toEqual(['not_judged']);
});

test('a step that is marked optional may be left out, and must be one that may', () => {
  const dropped = miss('dropped_step', { optional: true });
  expect(judgeNearMiss(dropped, passed('http://a.test/done 2'), oracle)).toEqual([]);
  expect(rules(judgeNearMiss(dropped, end({}), oracle))).toEqual(['optional_step_needed']);
});

test('what the suite brings: solutions pass, near misses are replayed whole and fail', () => {
  const solution: GivenTranscript = { kind: 'solution', file: 'solutions/b.json', transcript };
  const near: GivenTranscript = { ...solution, kind: 'near_miss', file: 'near-misses/c.json' };
  expect(judgeGiven(solution, oracle)).toEqual([]);
  expect(rules(judgeGiven(solution, end({})))).toEqual(['solution_fails']);
  expect(judgeGiven(near, end({ outcome: 'max_steps' }))).toEqual([]);
  expect(rules(judgeGiven(near, oracle))).toEqual(['near_miss_passes']);
  expect(rules(judgeGiven(near, end({ outcome: 'adapter_error' })))).toEqual(['near_miss_does_not_fit']);
  expect(rules(judgeGiven(near, end({ outcome: 'server_error' })))).toEqual(['not_judged']);
});
