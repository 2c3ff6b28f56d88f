/** Steps and runs of steps without progress, by the server's own status where it has one, by two rules of runs where it has not. */
import { byLane, type Step, type Trace } from './trace.ts';

const RUN = 3;

export function noProgressEpisodes(trace: Trace): number {
  return trace.hasProgressStatus ? trace.steps.filter(isCalledStalling).length : noProgressRuns(trace);
}

/** Maximal runs. Without a status of the server, that is what `noProgressEpisodes` counts. */
export function noProgressRuns(trace: Trace): number {
  const count = (steps: Step[]): number =>
    trace.hasProgressStatus
      ? countRuns(steps, (_previous, step) => isCalledStalling(step), 1)
      : countRuns(steps, continuesErrors, RUN) + countRuns(steps, continuesSameAction, RUN);
  return byLane(trace.steps).reduce((sum, steps) => sum + count(steps), 0);
}

function isCalledStalling({ progress }: Step): boolean {
  return progress === 'stalling' || progress === 'stuck';
}

/** Maximal runs of at least `length` steps. `continues(undefined, step)` decides whether a step can start a run. */
function countRuns(
  steps: readonly Step[],
  continues: (previous: Step | undefined, step: Step) => boolean,
  length: number,
): number {
  let runs = 0;
  let now = 0;
  let previous: Step | undefined;
  for (const step of steps) {
    if (now > 0 && continues(previous, step)) now++;
    else now = continues(undefined, step) ? 1 : 0;
    if (now === length) runs++;
    previous = step;
  }
  return runs;
}

function continuesErrors(_previous: Step | undefined, step: Step): boolean {
  return step.isError;
}

/** The state names the URL, too. One that the witness did not observe is never taken for unchanged. */
function continuesSameAction(previous: Step | undefined, step: Step): boolean {
  if (step.isError || step.state === undefined || step.state !== step.stateBefore) return false;
  return previous === undefined || previous.action === step.action;
}
