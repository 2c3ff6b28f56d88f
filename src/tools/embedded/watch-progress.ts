/** Records the calls of a server and the states that they left. Each result tells the progress so far, and so does oc_progress_status. */
import type { Observation } from '../../chromium/index.ts';
import { judgeProgress, PROGRESS_KEPT, type Progress, type Step } from './progress.ts';

export class ProgressWatch {
  readonly #observe: (signal: AbortSignal) => Promise<Observation>;
  readonly #steps: Step[] = [];
  /** What had the focus and what was selected at the last observation. */
  #attention: string | undefined;

  constructor(observe: (signal: AbortSignal) => Promise<Observation>) {
    this.#observe = observe;
  }

  /** Call it when a call has ended. The page is observed now, because a later observation may show what a later call did. */
  async end(step: Step, signal: AbortSignal): Promise<Progress> {
    this.#steps.push(step);
    if (this.#steps.length > PROGRESS_KEPT) this.#steps.shift();
    const seen = await this.#observe(signal);
    record(step, seen);
    const attention = seen.main && `${seen.main.attention.focus} ${seen.main.attention.selection}`;
    step.isUnseen = (seen.main?.canvases ?? 0) > 0 || (this.#attention !== undefined && attention !== this.#attention);
    this.#attention = attention;
    return this.judge();
  }

  judge(): Progress {
    return judgeProgress(this.#steps);
  }
}

function record(step: Step, seen: Observation): void {
  if (seen.state !== 'ok' && !seen.dialogOpen) return;
  step.state = {
    url: seen.url,
    ...(seen.dom === undefined ? {} : { domDigest: seen.dom }),
    ...(seen.text === undefined ? {} : { textDigest: seen.text }),
    // The values of controls are in no region, only in the digest of the whole page. On a page that changes by itself, that digest is ignored as noise.
    ...(seen.main ? { regions: { ...seen.main.regions, ...framesOf(seen), whole: seen.dom ?? '' } } : {}),
  };
  const tab = seen.tabs.findIndex(({ targetId }) => targetId === seen.targetId);
  step.around = `${tab} ${seen.tabs.length} ${seen.dialogOpen ? `dialog ${seen.counters.dialogs}` : ''}`;
}

function framesOf({ frames }: Observation): Record<string, string> {
  return Object.fromEntries(frames.map(({ url, dom }, i) => [`frame ${i} ${url}`, dom]));
}
