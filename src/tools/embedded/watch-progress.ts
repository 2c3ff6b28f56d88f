/** Keeps the calls of a server and the states they left, for oc_progress_status. */
import type { Observation } from '../../chromium/index.ts';
import { judgeProgress, PROGRESS_KEPT, type Progress, type Step } from './progress.ts';

export class ProgressWatch {
  readonly #observe: () => Promise<Observation>;
  readonly #latest: (() => Observation | undefined) | undefined;
  #steps: Step[] = [];
  /** The last call, whose state nobody has looked at yet. */
  #open: { step: Step; endedAt: number } | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** `latest` gives the newest observation where the host looks after every call anyway; else the server looks for itself. */
  constructor(observe: () => Promise<Observation>, latest: (() => Observation | undefined) | undefined) {
    this.#observe = observe;
    this.#latest = latest;
  }

  /** A call is about to begin: what the host saw after the last one is put down before it sees more. */
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
    // Not waited for: the page is asked now, before any later call can ask it anything, and answers while the caller thinks.
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
      // The values of controls are in no region, only in the digest of the whole; on a page that changes by itself that is learnt to be noise.
      ...(seen.main ? { regions: { ...seen.main.regions, ...framesOf(seen), whole: seen.dom ?? '' } } : {}),
    };
    const tab = seen.tabs.findIndex(({ targetId }) => targetId === seen.targetId);
    step.around = `${tab} ${seen.tabs.length} ${seen.dialogOpen ? `dialog ${seen.counters.dialogs}` : ''}`;
  }
}

function framesOf({ frames }: Observation): Record<string, string> {
  return Object.fromEntries(frames.map(({ url, dom }, i) => [`frame ${i} ${url}`, dom]));
}
