/**
 * Whether the calls so far make progress: progressing, stalling or stuck. A pure function of the calls and the states that they left.
 *
 * A call brings news when the page is in a new state (parts that change by themselves, such as clocks, are ignored), or
 * when it reads something for the first time in this state: another tool, another part of the page, another query. An action whose effect is in
 * no state (it gives a field the focus, selects a text, draws on a canvas) counts as such a reading. A failed call
 * brings none. Reading further is therefore never penalised; reading the same again is, and so is switching between known states.
 */
import { learnVolatile, NO_VOLATILE_REGIONS, type PageState, stateFingerprint } from '../../reward/index.ts';

export interface Step {
  /** Tool and arguments, as one text. */
  call: string;
  /** Whether the call only observes. */
  reads: boolean;
  /** The kind of failure, if it failed. */
  failed?: string | undefined;
  /** The state of the page afterwards; undefined when it could not be observed. */
  state?: PageState | undefined;
  /** The rest of the state: the tab and an open dialog. */
  around?: string | undefined;
  /** What the call did is in no state, or may be in none: it gave a field the focus, selected a text, or may have drawn on a canvas. */
  isUnseen?: boolean | undefined;
}

/** Where a result carries the progress after its call, in its `_meta`. */
export const PROGRESS_META = 'waymark/progress';

export type ProgressStatus = 'progressing' | 'stalling' | 'stuck';

export interface Progress {
  status: ProgressStatus;
  /** Calls since the last news. */
  quiet: number;
  /** Failures in a row. */
  failures: number;
  /** How often the last failed call has failed in the same way, in a row. */
  sameFailure: number;
  reason: string;
}

/** The thresholds. They are also stated in the tool's description. */
export const PROGRESS_LIMITS = {
  quiet: { stalling: 3, stuck: 6 },
  failures: { stalling: 3, stuck: 5 },
  sameFailure: { stalling: 2, stuck: 3 },
} as const;

/** Older calls are forgotten. */
export const PROGRESS_KEPT = 60;

export function judgeProgress(steps: readonly Step[]): Progress {
  const volatile = learn(steps);
  const states = new Set<string>();
  const readings = new Set<string>();
  let quiet = 0;
  let failures = 0;
  let sameFailure = 0;
  let lastFailure = '';
  for (const { call, reads, failed, state, around = '', isUnseen = false } of steps) {
    if (failed !== undefined) {
      const failure = `${call} ${failed}`;
      sameFailure = failure === lastFailure ? sameFailure + 1 : 1;
      lastFailure = failure;
      failures++;
      quiet++;
      continue;
    }
    failures = 0;
    sameFailure = 0;
    lastFailure = '';
    const known = state && stateFingerprint(state, volatile);
    // The page could not be observed, so the call counts neither as news nor as no news.
    if (known === undefined && around === '') continue;
    const fingerprint = `${known ?? ''} ${around}`;
    const reading = `${fingerprint} ${call}`;
    const isReading = reads || isUnseen;
    const isNews = !states.has(fingerprint) || (isReading && !readings.has(reading));
    states.add(fingerprint);
    if (isReading) readings.add(reading);
    quiet = isNews ? 0 : quiet + 1;
  }
  return verdict(quiet, failures, sameFailure);
}

function verdict(quiet: number, failures: number, sameFailure: number): Progress {
  const counts = { quiet, failures, sameFailure };
  const words = {
    quiet: `${quiet} calls in a row brought nothing new`,
    failures: `${failures} calls in a row failed`,
    sameFailure: `the same call failed ${sameFailure} times in a row`,
  };
  for (const status of ['stuck', 'stalling'] as const) {
    for (const sign of ['sameFailure', 'failures', 'quiet'] as const) {
      if (counts[sign] >= PROGRESS_LIMITS[sign][status]) return { status, ...counts, reason: words[sign] };
    }
  }
  return {
    status: 'progressing',
    ...counts,
    reason: quiet === 0 ? 'the last call brought something new' : words.quiet,
  };
}

/** A part that differs between two observations without an action in between changes by itself. */
function learn(steps: readonly Step[]): ReturnType<typeof learnVolatile> {
  let known = NO_VOLATILE_REGIONS;
  for (const [i, step] of steps.entries()) {
    const before = steps[i - 1];
    if (step.reads && before?.state && step.state) known = learnVolatile(known, before.state, step.state);
  }
  return known;
}
