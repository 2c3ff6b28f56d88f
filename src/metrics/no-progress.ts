/** `noProgressEpisodes`: from the server's own status if it has one, otherwise from two rules about runs of steps. */
import type { Step, Trace } from './trace.ts';

const RUN = 3;

export function noProgressEpisodes(trace: Trace): number {
  if (trace.hasProgressStatus) {
    return trace.steps.filter(({ progress }) => progress === 'stalling' || progress === 'stuck').length;
  }
  return countRuns(trace.steps, continuesErrors) + countRuns(trace.steps, continuesSameTool);
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
