/** `noProgressEpisodes`, by the server's own status where it has one, by two rules of runs where it has not. */
import { byLane, type Step, type Trace } from './trace.ts';

const RUN = 3;

export function noProgressEpisodes(trace: Trace): number {
  if (trace.hasProgressStatus) {
    return trace.steps.filter(({ progress }) => progress === 'stalling' || progress === 'stuck').length;
  }
  return byLane(trace.steps).reduce(
    (sum, steps) => sum + countRuns(steps, continuesErrors) + countRuns(steps, continuesSameTool),
    0,
  );
}

/** Maximal runs of at least three steps. `continues(undefined, step)` decides whether a step can start a run. */
function countRuns(steps: readonly Step[], continues: (previous: Step | undefined, step: Step) => boolean): number {
  let runs = 0;
  let length = 0;
  let previous: Step | undefined;
  for (const step of steps) {
    if (length > 0 && continues(previous, step)) length++;
    else length = continues(undefined, step) ? 1 : 0;
    if (length === RUN) runs++;
    previous = step;
  }
  return runs;
}

function continuesErrors(_previous: Step | undefined, step: Step): boolean {
  return step.isError;
}

/** Compares the URL after each call. If the witness did not observe it, the run does not continue. */
function continuesSameTool(previous: Step | undefined, step: Step): boolean {
  if (step.isError || step.url === undefined) return false;
  return previous === undefined || (previous.tool === step.tool && previous.url === step.url);
}
