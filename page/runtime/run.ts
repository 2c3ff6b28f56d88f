/** A run from its first item to its file. It owns the panel, the clock and the listeners, and gives them back. */
import type { RuntimePack } from '../../src/capture/formats.ts';
import { Recorder } from './capture.ts';
import { download } from './download.ts';
import { dryRun } from './dry-run.ts';
import { ItemError } from './item-error.ts';
import { pacer } from './pace.ts';
import { type PageContext, pageContext } from './page-context.ts';
import { Progress } from './progress.ts';
import { runItem } from './run-item.ts';
import { RunView } from './run-view.ts';

const TICK_MS = 500;

export class Run {
  readonly #pack: RuntimePack;
  readonly #view: RunView;
  readonly #progress: Progress;
  #recorder: Recorder;
  readonly #page: PageContext;
  #stopped = false;
  #closed = false;
  #current = new AbortController();
  #stage = 'trying the selectors';
  isRunning = true;

  constructor(pack: RuntimePack) {
    this.#pack = pack;
    this.#recorder = new Recorder(pack);
    this.#progress = new Progress(pack);
    this.#view = new RunView(pack.target.display_name, {
      pause: () => this.#togglePause(),
      skip: () => this.#current.abort(new ItemError('aborted', 'Skipped by the user.')),
      stop: () => this.#stop(),
      downloadPartial: () => this.#view.saved(download(this.#recorder.capture(), true)),
      downloadAgain: () => void this.#download(),
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
    try {
      const problems = (await this.#isToAsk()) ? await this.#ask() : [];
      if (problems.length > 0) return problems;
    } finally {
      this.isRunning = false;
      this.#page.waiter.stop();
      this.#page.clock.stop();
    }
    if (!this.#closed) await this.#end();
    return [];
  }

  close(): void {
    this.#closed = true;
    this.#view.panel.close();
  }

  /** Takes up what an earlier run of this pack has left, if the user wants that. @returns whether items are to be asked. */
  async #isToAsk(): Promise<boolean> {
    const earlier = await this.#progress.open().catch((thrown) => this.#notKept(thrown));
    if (!earlier) return true;
    const total = this.#pack.items.length;
    const answered = earlier.results.filter(({ result }) => result.error === null).length;
    const choice = await this.#view.choose(
      `${answered} of ${total} items were answered in an earlier run of this pack in this browser. Continuing asks the others.`,
      ['Continue', 'Start over', 'Download these', 'Close'],
    );
    if (choice === 'Close') this.close();
    else if (choice === 'Start over') await this.#forget(earlier.startedAt);
    else {
      this.#recorder = new Recorder(this.#pack, earlier);
      this.#view.progress(this.#recorder.count, total);
    }
    return choice === 'Continue' || choice === 'Start over';
  }

  async #ask(): Promise<readonly string[]> {
    const ticker = setInterval(() => this.#tell(), TICK_MS);
    addEventListener('beforeunload', holdPage);
    this.#tell();
    try {
      this.#renewSignal();
      const problems = await dryRun(this.#page).catch(reasonOf);
      if (problems.length > 0) return problems;
      await this.#items();
    } finally {
      clearInterval(ticker);
      removeEventListener('beforeunload', holdPage);
    }
    return [];
  }

  /** What has all answers is not needed once its file is saved; the rest is kept until the pack expires, so that it can be continued. */
  async #end(): Promise<void> {
    this.#recorder.end();
    this.#view.finish();
    const isSaved = this.#download();
    const { count, errors, startedAt } = this.#recorder;
    if (isSaved && errors === 0 && count === this.#pack.items.length) await this.#forget(startedAt);
  }

  async #forget(startedAt: string): Promise<void> {
    await this.#progress.forget(startedAt).catch((thrown) => this.#notKept(thrown));
  }

  #notKept(thrown: unknown): undefined {
    const [reason] = reasonOf(thrown);
    this.#view.note(
      `This page’s storage can’t be used (${reason}). A reload of the page would lose what was captured.`,
    );
  }

  async #items(): Promise<void> {
    const { items } = this.#pack;
    const pause = pacer(this.#page.settings);
    let isFirst = true;
    for (const [index, item] of items.entries()) {
      if (this.#recorder.isAnswered(item.id)) continue;
      if (!isFirst) await this.#between(pause());
      isFirst = false;
      if (this.#stopped) return;
      this.#renewSignal();
      const { result, flag, endsRun } = await runItem(this.#page, item, (stage) => {
        this.#stage = `Item ${index + 1}: ${stage}`;
        this.#tell();
      });
      this.#recorder.add({ result, flag });
      await this.#progress.keep(this.#recorder.startedAt, { result, flag }).catch((thrown) => this.#notKept(thrown));
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

  /** @returns whether a file was saved. */
  #download(): boolean {
    const { count, errors } = this.#recorder;
    const total = this.#pack.items.length;
    const saved = download(this.#recorder.capture(), count < total);
    this.#view.saved(saved);
    const end = count < total ? `Ended early: ${count} of ${total} items` : `Finished: ${count} items`;
    this.#view.append(`${end}, ${errors} with an error.`);
    return 'file' in saved;
  }

  #tell(): void {
    const { clock } = this.#page;
    this.#view.elapsed(clock.ms);
    if (clock.isRunning) this.#view.state(`${this.#stage}…`);
    else this.#view.state(clock.isPaused ? 'Paused.' : 'Paused while this tab is hidden.');
  }
}

/** Leaving the page would lose the item at hand, and where the page has no storage all that was captured. */
function holdPage(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function reasonOf(thrown: unknown): readonly string[] {
  return [thrown instanceof Error ? thrown.message : String(thrown)];
}
