/** A run from its first item to its file. It owns the panel, the clock and the listeners, and gives them back. */
import type { RuntimePack } from '../../src/capture/formats.ts';
import { Recorder } from './capture.ts';
import { download } from './download.ts';
import { dryRun } from './dry-run.ts';
import { ItemError } from './item-error.ts';
import { pacer } from './pace.ts';
import { type PageContext, pageContext } from './page-context.ts';
import { runItem } from './run-item.ts';
import { RunView } from './run-view.ts';

const TICK_MS = 500;

export class Run {
  readonly #pack: RuntimePack;
  readonly #view: RunView;
  readonly #recorder: Recorder;
  readonly #page: PageContext;
  #stopped = false;
  #current = new AbortController();
  #stage = 'trying the selectors';
  isRunning = true;

  constructor(pack: RuntimePack) {
    this.#pack = pack;
    this.#recorder = new Recorder(pack);
    this.#view = new RunView(pack.target.display_name, {
      pause: () => this.#togglePause(),
      skip: () => this.#current.abort(new ItemError('aborted', 'Skipped by the user.')),
      stop: () => this.#stop(),
      downloadPartial: () => this.#view.saved(download(this.#recorder.capture(), true)),
      downloadAgain: () => this.#download(),
      asText: () => JSON.stringify(this.#recorder.capture()),
      close: () => this.close(),
    });
    this.#page = pageContext(pack, (work) => {
      const control = this.#view.panel.focused;
      try {
        return work();
      } finally {
        control?.focus();
      }
    });
    this.#view.progress(0, pack.items.length);
  }

  /** Resolves with what stands in the way when nothing could be begun. */
  async go(): Promise<readonly string[]> {
    const ticker = setInterval(() => this.#tell(), TICK_MS);
    addEventListener('beforeunload', holdPage);
    this.#tell();
    try {
      this.#renewSignal();
      const problems = await dryRun(this.#page).catch(reasonOf);
      if (problems.length > 0) return problems;
      await this.#items();
    } finally {
      this.isRunning = false;
      clearInterval(ticker);
      removeEventListener('beforeunload', holdPage);
      this.#page.waiter.stop();
      this.#page.clock.stop();
    }
    this.#view.finish();
    this.#download();
    return [];
  }

  close(): void {
    this.#view.panel.close();
  }

  async #items(): Promise<void> {
    const { items } = this.#pack;
    const pause = pacer(this.#page.settings);
    for (const [index, item] of items.entries()) {
      if (index > 0) await this.#between(pause());
      if (this.#stopped) return;
      this.#renewSignal();
      const { result, flag, endsRun } = await runItem(this.#page, item, (stage) => {
        this.#stage = `Item ${index + 1}: ${stage}`;
        this.#tell();
      });
      this.#recorder.add(result, flag);
      this.#view.progress(this.#recorder.count, items.length);
      if (result.error) this.#view.error(`Item ${index + 1}, ${result.error.code}: ${result.error.message}`);
      if (endsRun) return;
    }
  }

  async #between(ms: number): Promise<void> {
    this.#stage = 'Waiting before the next item';
    this.#tell();
    this.#renewSignal();
    // Skipped: the pause only. Stopped: seen by the loop.
    await this.#page.waiter.sleep(ms).catch(() => {});
  }

  #renewSignal(): void {
    if (this.#stopped) return;
    this.#current = new AbortController();
    this.#page.waiter.signal = this.#current.signal;
  }

  #togglePause(): boolean {
    const { clock } = this.#page;
    clock.isPaused = !clock.isPaused;
    this.#tell();
    return clock.isPaused;
  }

  #stop(): void {
    this.#stopped = true;
    this.#current.abort(new ItemError('aborted', 'Stopped by the user.', true));
  }

  #download(): void {
    const { count, errors } = this.#recorder;
    const total = this.#pack.items.length;
    this.#view.saved(download(this.#recorder.capture(), count < total));
    const end = count < total ? `Ended early: ${count} of ${total} items` : `Finished: ${count} items`;
    this.#view.append(`${end}, ${errors} with an error.`);
  }

  #tell(): void {
    const { clock } = this.#page;
    this.#view.elapsed(clock.ms);
    if (clock.isRunning) this.#view.state(`${this.#stage}…`);
    else this.#view.state(clock.isPaused ? 'Paused.' : 'Paused while this tab is hidden.');
  }
}

/** Leaving the page would lose what was captured. */
function holdPage(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function reasonOf(thrown: unknown): readonly string[] {
  return [thrown instanceof Error ? thrown.message : String(thrown)];
}
