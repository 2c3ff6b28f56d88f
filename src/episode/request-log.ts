/**
 * The requests that the rules of the task's `network` graders could be about, as events: only those, and of each only what the rules name.
 * A task without such a grader has no log, and its witness records nothing more.
 */

import {
  canonicalHash,
  compileAddresses,
  type EpisodeTaskSpec,
  type NetworkRule,
  readAddress,
} from '../cases/index.ts';
import type { RequestRecorder, WantedParts, Witness } from '../chromium/index.ts';
import type { Journal } from '../journal/index.ts';

export class RequestLog implements Disposable {
  readonly #recorder: RequestRecorder;
  readonly #journal: Pick<Journal, 'append'>;
  readonly #rules: readonly NetworkRule[];

  private constructor(
    witness: Witness,
    journal: Pick<Journal, 'append'>,
    rules: readonly NetworkRule[],
    startUrl: string,
  ) {
    this.#journal = journal;
    this.#rules = rules;
    this.#recorder = witness.recordRequests({
      wanted: wantedBy(rules, startUrl),
      onEnded: (request) => journal.append({ type: 'request', ...request }),
    });
  }

  /** Call it before the start page is opened: what was requested before does not belong to the attempt. */
  static of(task: EpisodeTaskSpec, witness: Witness, journal: Pick<Journal, 'append'>): RequestLog | undefined {
    const rules = (task.graders ?? []).flatMap((spec) => (spec.grader === 'network' ? spec.expect : []));
    return rules.length === 0 ? undefined : new RequestLog(witness, journal, rules, task.startUrl);
  }

  /** The rest of it, after the last look. A request that is still under way is waited for, within a time limit. */
  async close(timeoutMs: number, incomplete: string | undefined, signal?: AbortSignal): Promise<void> {
    await this.#recorder.close(timeoutMs, signal);
    const { seen, recorded, dropped } = this.#recorder.counts;
    this.#journal.append({
      type: 'requests',
      rules: this.#rules.map((rule) => canonicalHash(rule)),
      seen,
      recorded,
      ...(dropped > 0 ? { dropped } : {}),
      ...(incomplete === undefined ? {} : { incomplete }),
    });
  }

  /** Nothing is written after this, however the attempt ended. */
  [Symbol.dispose](): void {
    this.#recorder.stop();
  }
}

type Wanted = (request: { url: string; isNavigation: boolean }) => WantedParts | undefined;

/** By address alone, so that a request with another method can be named as the nearest. */
function wantedBy(rules: readonly NetworkRule[], startUrl: string): Wanted {
  const known = rules.map((rule) => ({ rule, addresses: compileAddresses(rule, startUrl) }));
  return ({ url, isNavigation }) => {
    const about = known.filter(({ rule, addresses }) => {
      if (isNavigation && rule.lastNavigation) return true;
      const address = readAddress(url, rule.decodeBase64Query);
      return address !== undefined && addresses.some((each) => each.fits(address));
    });
    if (about.length === 0) return undefined;
    const named = (part: 'headers' | 'cookies'): string[] => about.flatMap(({ rule }) => Object.keys(rule[part] ?? {}));
    return {
      headers: new Set(named('headers').map((name) => name.toLowerCase())),
      cookies: new Set(named('cookies')),
      body: about.some(({ rule }) => rule.body !== undefined),
      response: about.some(({ rule }) => rule.response !== undefined),
    };
  };
}
