/**
 * A run folder as a page shows it, also while another process writes it. Nothing is copied: journals are read where they are, each again
 * when it has grown. Every change of a row has a number, so that a reader that comes late, or comes back, is told what it has not seen.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import {
  type AttemptRow,
  type AttemptView,
  attemptView,
  type FeedEntry,
  mergedFeed,
  type RunView,
} from '../../view/index.ts';
import { type RunFile, readRunFile } from '../folder/run-file.ts';
import { isLocked } from '../folder/run-lock.ts';
import { resultOf, wholeEventsIn } from '../recorded-attempts.ts';
import { ReportFold } from '../report.ts';
import { cellId, RunPageData } from '../run-page-data.ts';
import { type LiveCell, readCell } from './live-cell.ts';

export interface LiveChange {
  /** Its number. */
  version: number;
  /** Absent: the run itself has begun or ended. */
  row?: AttemptRow;
}

export class LiveRun {
  readonly root: string;
  #run: RunFile;
  #stamp = '';
  #cells: (LiveCell | undefined)[] = [];
  #feed: readonly FeedEntry[] = [];
  #versions: number[] = [];
  #runVersion = 0;
  #version = 0;
  #isRunning = false;
  #refreshing: Promise<boolean> | undefined;

  constructor(root: string) {
    this.root = root;
    this.#run = readRunFile(root);
    if (this.plan.variant.kind !== 'agent')
      throw new WaymarkError({
        code: 'run_not_found',
        message: `The run ${this.plan.runId} asks questions, and has no attempts in a browser.`,
        hint: `Open its report: ${path.join(root, 'report.html')}`,
      });
  }

  get plan(): RunFile['plan'] {
    return this.#run.plan;
  }

  get endedAt(): string | undefined {
    return this.#run.endedAt;
  }

  /** Some process writes it. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  get version(): number {
    return this.#version;
  }

  /** Looks at what may have changed. Two that ask at once share one look. True where something has. */
  refresh(): Promise<boolean> {
    this.#refreshing ??= this.#look().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #look(): Promise<boolean> {
    const before = this.#version;
    const isRunning = isLocked(this.root);
    // The report is written anew when attempts were graded again.
    const report = statSync(path.join(this.root, 'report.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const stamp = `${statSync(path.join(this.root, 'run.json')).mtimeMs} ${sizeOf(path.join(this.root, 'cells.jsonl'))} ${report}`;
    const isNew = stamp !== this.#stamp;
    if (isNew) this.#run = readRunFile(this.root);
    if (isNew || isRunning !== this.#isRunning) this.#runVersion = ++this.#version;
    this.#stamp = stamp;
    this.#isRunning = isRunning;
    const { cells } = this.#run.plan;
    for (let index = 0; index < cells.length; index++) {
      const known = this.#cells[index];
      // After a change of run.json the run may have been resumed: then what had ended may be tried again.
      if (known?.isFinal && !isNew) continue;
      const now = await readCell(this.root, this.#run, { index, id: cellId(index), isRunning }, known);
      if (now === known) continue;
      const { feed, ...cell } = now;
      this.#cells[index] = cell;
      if (feed) this.#feed = mergedFeed(this.#feed, cellId(index), feed);
      this.#versions[index] = ++this.#version;
    }
    return this.#version > before;
  }

  /** What changed after a number, oldest first. A row that changed often is told once, as it is now. */
  since(version: number, max: number): LiveChange[] {
    const changed = this.#versions.flatMap((at, index) => {
      const row = this.#cells[index]?.row;
      return at > version && row ? [{ version: at, row }] : [];
    });
    const own = this.#runVersion > version ? [{ version: this.#runVersion }] : [];
    return [...changed, ...own].sort((a, b) => a.version - b.version).slice(0, max);
  }

  /** What happened last, oldest first: the same for everybody who asks now. */
  get feed(): readonly FeedEntry[] {
    return this.#feed;
  }

  view(): RunView {
    const fold = new ReportFold(this.plan.quarantined);
    const data = new RunPageData();
    const known = this.#cells.filter((cell) => cell !== undefined);
    for (const { result, row } of known) {
      if (result) fold.add(result);
      data.addRow(row, result);
    }
    const cells = known.map(({ cell }) => cell);
    return data.view(fold.withTimes(fold.head(this.#run, cells), cells), cells, [], this.#isRunning);
  }

  /** Undefined where there is no such attempt, or it has not begun. */
  async attempt(id: string): Promise<AttemptView | undefined> {
    const cell = this.cellOf(id);
    if (!cell) return undefined;
    const events = await wholeEventsIn(path.join(this.root, cell.folder));
    return events.length === 0 ? undefined : attemptView(events, resultOf(this.root, { ...cell, events }), cell.folder);
  }

  cellOf(id: string): LiveCell['cell'] | undefined {
    return this.#known(id)?.cell;
  }

  rowOf(id: string): AttemptRow | undefined {
    return this.#known(id)?.row;
  }

  #known(id: string): LiveCell | undefined {
    const [, number] = /^e(\d{1,9})$/.exec(id) ?? [];
    return number === undefined ? undefined : this.#cells[Number(number) - 1];
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
