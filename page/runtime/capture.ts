/** What was captured so far, in the interchange format. The last payload is always on the window, whatever happens to downloads. */
import {
  CAPTURE_FORMAT,
  type Capture,
  type Flag,
  type ItemResult,
  RUNTIME_REVISION,
  type RuntimePack,
} from '../../src/capture/formats.ts';

declare global {
  interface Window {
    __EVAL752_LAST_BROWSER_HARNESS_RESULT__?: Capture;
  }
}

export class Recorder {
  readonly #pack: RuntimePack;
  readonly #startedAt = new Date().toISOString();
  #results: ItemResult[] = [];
  #flags = new Map<string, Flag>();

  constructor(pack: RuntimePack) {
    this.#pack = pack;
    this.capture();
  }

  get count(): number {
    return this.#results.length;
  }

  get errors(): number {
    return this.#results.filter(({ error }) => error !== null).length;
  }

  add(result: ItemResult, flag: Flag | undefined): void {
    this.#results.push(result);
    if (flag) this.#flags.set(result.dataset_item_id, flag);
    this.capture();
  }

  capture(): Capture {
    const { dataset_token, target, judge, label, preset_revision } = this.#pack;
    const now = new Date().toISOString();
    const capture: Capture = {
      manifest: {
        format: CAPTURE_FORMAT,
        exported_at: now,
        item_count: this.count,
        error_count: this.errors,
        runtime_revision: RUNTIME_REVISION,
        preset_revision,
        ...(this.#flags.size > 0 ? { flags: Object.fromEntries(this.#flags) } : {}),
      },
      browser_harness: {
        dataset_token,
        target: { preset: target.preset, origin: target.origin, display_name: target.display_name },
        judge: judge && { provider_id: judge.provider_id, model: judge.model, prompt: judge.prompt },
        session: { started_at: this.#startedAt, finished_at: now },
        label,
      },
      results: [...this.#results],
    };
    window.__EVAL752_LAST_BROWSER_HARNESS_RESULT__ = capture;
    return capture;
  }
}
