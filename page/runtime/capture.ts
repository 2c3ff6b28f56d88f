/** What was captured so far, in the interchange format. The last payload is always on the window, whatever happens to downloads. */
import { CAPTURE_FORMAT, type Capture, RUNTIME_REVISION, type RuntimePack } from '../../src/capture/formats.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Earlier, Kept } from './progress.ts';

declare global {
  interface Window {
    __EVAL752_LAST_BROWSER_HARNESS_RESULT__?: Capture;
  }
}

export class Recorder {
  readonly startedAt: string;
  readonly #pack: RuntimePack;
  /** By item id: an item that came to an error may be asked again. */
  readonly #results = new Map<string, Kept>();
  #last: Capture | undefined;

  /** With an earlier run of the pack, its session goes on. */
  constructor(pack: RuntimePack, earlier?: Earlier) {
    this.#pack = pack;
    this.startedAt = earlier?.startedAt ?? new Date().toISOString();
    for (const kept of earlier?.results ?? []) this.#results.set(kept.result.dataset_item_id, deepFreeze(kept));
    this.capture();
  }

  get count(): number {
    return this.#results.size;
  }

  get errors(): number {
    return [...this.#results.values()].filter(({ result }) => result.error !== null).length;
  }

  isAnswered(itemId: string): boolean {
    return this.#results.get(itemId)?.result.error === null;
  }

  add(kept: Kept): void {
    this.#results.set(kept.result.dataset_item_id, deepFreeze(kept));
    this.capture();
  }

  /** From now on every download is the same. */
  end(): void {
    this.#last = this.capture();
  }

  /** Frozen, so that nobody changes a later download by what is on the window. */
  capture(): Capture {
    if (this.#last) return this.#last;
    const { dataset_token, target, judge, label, preset_revision } = this.#pack;
    const now = new Date().toISOString();
    const kept = [...this.#results.values()];
    const flags = kept.flatMap(({ result, flag }) => (flag ? [[result.dataset_item_id, flag] as const] : []));
    const capture: Capture = deepFreeze({
      manifest: {
        format: CAPTURE_FORMAT,
        exported_at: now,
        item_count: this.count,
        error_count: this.errors,
        runtime_revision: RUNTIME_REVISION,
        preset_revision,
        ...(flags.length > 0 ? { flags: Object.fromEntries(flags) } : {}),
      },
      browser_harness: {
        dataset_token,
        target: { preset: target.preset, origin: target.origin, display_name: target.display_name },
        judge: judge && { provider_id: judge.provider_id, model: judge.model, prompt: judge.prompt },
        session: { started_at: this.startedAt, finished_at: now },
        label,
      },
      results: kept.map(({ result }) => result),
    });
    window.__EVAL752_LAST_BROWSER_HARNESS_RESULT__ = capture;
    return capture;
  }
}
