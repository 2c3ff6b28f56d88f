/** Records the calls of a server and the states that they left, for oc_progress_status. */
import type { Observation } from '../../chromium/index.ts';
import { judgeProgress, PROGRESS_KEPT, type Progress, type Step } from './progress.ts';

export class ProgressWatch {
  readonly #observe: () => Promise<Observation>;
  readonly #latest: (() => Observation | undefined) | undefined;
  #steps: Step[] = [];
  /** The last call, whose state has not been observed yet. */
  #open: { step: Step; endedAt: number } | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** `latest` returns the newest observation where the caller observes after every call anyway. Without it, the server observes the page itself. */
  constructor(observe: () => Promise<Observation>, latest: (() => Observation | undefined) | undefined) {
    this.#observe = observe;
    this.#latest = latest;
  }

  /** Call it before a call starts. It records the observation after the last call before there is a newer one. */
  begin(): void {
    const open = this.#open;
    this.#open = undefined;
    const seen = open && this.#latest?.();
    if (seen && seen.at >= open.endedAt) this.#put(open.step, seen);
  }

  end(step: Step, endedAt: number): void {
    this.#steps.push(step);
    if (this.#steps.length > PROGRESS_KEPT) this.#steps.shift();
    if (this.#latest) this.#open = { step, endedAt };
    // Not awaited: the request is sent before any later call can send one, and the page answers while the caller decides what to do next.
    else this.#looking = this.#observe().then((seen) => this.#put(step, seen));
  }

  async judge(): Promise<Progress> {
    this.begin();
    await this.#looking;
    return judgeProgress(this.#steps);
  }

  #put(step: Step, seen: Observation): void {
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
}

function framesOf({ frames }: Observation): Record<string, string> {
  return Object.fromEntries(frames.map(({ url, dom }, i) => [`frame ${i} ${url}`, dom]));
}
