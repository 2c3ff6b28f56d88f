/** What the ends of a task's trials say about the task. Pure: everything was run before. */
import { isAgentOutcome } from '../../metrics/index.ts';
import { type CheckFinding, finding } from './check-finding.ts';
import type { GivenTranscript } from './given-transcripts.ts';
import type { NearMiss } from './near-misses.ts';
import type { TrialEnd } from './run-trials.ts';

/** An end that says nothing of the contract: the browser, the site, the server or a grader had a fault. */
function isJudged({ outcome }: TrialEnd): boolean {
  return isAgentOutcome(outcome);
}

export function judgeOracle(end: TrialEnd, moves: number): CheckFinding[] {
  const where = { attempt: end.folder };
  if (!end.passed) return [finding('oracle_fails', `The oracle does not pass: ${end.reason}`, where)];
  if (end.steps >= moves) return [];
  const rest = end.steps + 1 === moves ? `step ${moves} is` : `steps ${end.steps + 1} to ${moves} are`;
  return [
    finding(
      'oracle_ends_early',
      `The contract passes after step ${end.steps} of the oracle's ${moves}: ${rest} never made. Shorten the oracle, or let the contract ask for what they do.`,
      { ...where, step: end.steps },
    ),
  ];
}

/** `why`: what the task says of a contract that holds on its start page. */
export function judgeNothingDone(end: TrialEnd, why: string | undefined): CheckFinding[] {
  const where = { attempt: end.folder };
  if (end.heldAtStart && why !== undefined) {
    const message = `The contract passes on the start page, as the task says: ${why} It can't tell an agent that works from one that does nothing.`;
    return [finding('start_passes_on_purpose', message, where)];
  }
  if (end.heldAtStart)
    return [finding('start_passes', 'The contract passes on the start page, before anything is done.', where)];
  if (end.passed) return [finding('no_op_passes', 'An agent that does nothing passes.', where)];
  return isJudged(end)
    ? []
    : [finding('not_judged', `The agent that does nothing could not be judged (${end.outcome}): ${end.reason}`, where)];
}

export function judgeGiven({ kind, file }: GivenTranscript, end: TrialEnd): CheckFinding[] {
  const where = { attempt: end.folder };
  if (kind === 'solution')
    return end.passed ? [] : [finding('solution_fails', `${file} does not pass: ${end.reason}`, where)];
  if (end.passed) return [finding('near_miss_passes', `${file} passes, and must not.`, where)];
  if (end.outcome === 'adapter_error')
    return [finding('near_miss_does_not_fit', `${file} can't be replayed: ${end.reason}`, where)];
  return isJudged(end)
    ? []
    : [finding('not_judged', `${file} could not be judged (${end.outcome}): ${end.reason}`, where)];
}

/** A near miss that passes shows a gap in the contract, or that the oracle does more than is needed: the last page tells them apart. */
export function judgeNearMiss(miss: NearMiss, end: TrialEnd, oracle: TrialEnd): CheckFinding[] {
  const { kind, step, about, optional } = miss;
  const where = { attempt: end.folder, ...(step === undefined ? {} : { step }) };
  if (!end.passed) {
    if (kind === 'dropped_step' && optional && isJudged(end))
      return [
        finding('optional_step_needed', `Step ${step} is marked optional, and without it the task fails.`, where),
      ];
    // The oracle has no errors of its own: an adapter's error here is a step that could not be made any more, which is a failure as good as any.
    if (isJudged(end) || end.outcome === 'adapter_error') return [];
    return [finding('not_judged', `The oracle ${about} could not be judged (${end.outcome}): ${end.reason}`, where)];
  }
  if (optional) return [];
  const isSameEnd = end.endState !== undefined && end.endState === oracle.endState;
  switch (kind) {
    case 'dropped_step':
      return [
        isSameEnd
          ? finding(
              'step_not_needed',
              `The oracle ${about} passes and ends on the same page: the step is not needed. Leave it out, or mark it "optional": true.`,
              where,
            )
          : finding(
              'step_not_checked',
              `The oracle ${about} passes, though its last page is another one: the contract does not check what the step does. Add an assertion, or mark the step "optional": true if the task can be done without it.`,
              where,
            ),
      ];
    case 'wrong_value':
      return [
        isSameEnd
          ? finding(
              'value_not_needed',
              `The oracle ${about} passes and ends on the same page: the value does not matter.`,
              where,
            )
          : finding(
              'value_not_checked',
              `The oracle ${about} passes: the contract does not check the value. Add an assertion, or mark the step "optional": true if any value will do.`,
              where,
            ),
      ];
    case 'repeated_step':
      return isSameEnd
        ? []
        : [
            finding(
              'repetition_not_checked',
              `The oracle ${about} passes, though its last page is another one: the contract does not notice what was done once too often. Add an assertion, or mark the step "optional": true.`,
              where,
            ),
          ];
    default:
      return [finding('answer_not_checked', `The oracle ${about} passes: other answers are accepted.`, where)];
  }
}
