/**
 * A run as a page shows it, also while another process writes it. Nothing is copied: journals are read where they are, each again
 * when it has grown. Every change of a row has a number, so that a reader that comes late, or comes back, is told what it has not seen.
 */
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
import type { RunFile } from '../folder/run-file.ts';
import { ReportFold } from '../report.ts';
import { cellId, RunPageData } from '../run-page-data.ts';
import type { LiveCell } from './live-cell.ts';
import type { RunLook, RunSource } from './run-source.ts';

export interface LiveChange {
  /** Its number. */
  version: number;
  /** Absent: the run itself has begun or ended. */
  row?: AttemptRow;
}

export class LiveRun {
  readonly source: RunSource;
  #seen: RunLook | undefined;
  /** Of a run that was not read as a whole. */
  #atRest: RunLook | undefined;
  #cells: (LiveCell | undefined)[] = [];
  #feed: readonly FeedEntry[] = [];
  #versions: number[] = [];
  #runVersion = 0;
  #version = 0;
  #refreshing: Promise<boolean> | undefined;

  constructor(source: RunSource) {
    this.source = source;
    if (this.plan.variant.kind !== 'agent')
      throw new WaymarkError({
        code: 'run_not_found',
        message: `The run ${this.plan.runId} asks questions, and has no attempts in a browser.`,
        hint: `Open its report: ${path.join(source.root ?? '', 'report.html')}`,
      });
  }

  /** @throws for a run that workers execute: it has no folder on this machine. */
  get root(): string {
    const { root } = this.source;
    if (root !== undefined) return root;
    throw new WaymarkError({
      code: 'run_not_in_folder',
      message: `Workers execute the run ${this.plan.runId}: only a run in a folder of this machine can be changed like that.`,
      hint: 'Stop and resume it as a whole: `waymark runs stop <id>` and `waymark runs resume <id>`.',
    });
  }

  get plan(): RunFile['plan'] {
    return this.#run.plan;
  }

  get #run(): RunFile {
    return this.#seen?.run ?? { plan: this.source.plan };
  }

  get endedAt(): string | undefined {
    return this.#run.endedAt;
  }

  /** Some process writes it. */
  get isRunning(): boolean {
    return this.#seen?.isRunning === true;
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
    const seen = this.#seen;
    const now = await this.source.look(seen);
    const { isRunning } = now;
    const isNew = now.stamp !== seen?.stamp;
    if (isNew || isRunning !== seen?.isRunning) this.#runVersion = ++this.#version;
    this.#seen = now;
    this.#atRest = undefined;
    const { cells } = this.#run.plan;
    for (let index = 0; index < cells.length; index++) {
      const known = this.#cells[index];
      // After a change of run.json the run may have been resumed: then what had ended may be tried again.
      if (known?.isFinal && !isNew) continue;
      const read = await this.source.cell(now.run, { index, id: cellId(index), isRunning }, known);
      if (read === known) continue;
      const { feed, ...cell } = read;
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

  /** What happened last, oldest first: the same for every reader. */
  get feed(): readonly FeedEntry[] {
    return this.#feed;
  }

  view(): RunView {
    const fold = new ReportFold(this.plan.quarantined);
    const data = new RunPageData(this.plan);
    const known = this.#cells.filter((cell) => cell !== undefined);
    for (const { result, row } of known) {
      if (result) fold.add(result);
      data.addRow(row, result);
    }
    const cells = known.map(({ cell }) => cell);
    return data.view(fold.withTimes(fold.head(this.#run, cells), cells), cells, [], this.isRunning);
  }

  /** Undefined where there is no such attempt, or it has not begun. */
  async attempt(id: string): Promise<AttemptView | undefined> {
    const cell = await this.cell(id);
    if (!cell) return undefined;
    const events = await this.source.events(cell);
    return events.length === 0 ? undefined : attemptView(events, await this.source.result(cell, events), cell.folder);
  }

  /**
   * Whether single attempts can be read without the others: no process writes its folder, and the whole run, with all its journals, was not
   * read before.
   */
  async isAtRest(): Promise<boolean> {
    if (this.#seen || this.#refreshing || this.source.root === undefined) return false;
    this.#atRest = await this.source.look(this.#atRest);
    return !this.#atRest.isRunning;
  }

  /** Of a run at rest, only this cell is read. */
  async cell(id: string): Promise<LiveCell['cell'] | undefined> {
    const known = this.#known(id);
    if (known || !this.#atRest) return known?.cell;
    const { run } = this.#atRest;
    const index = indexOf(id);
    if (!run.plan.cells[index]) return undefined;
    return (await this.source.cell(run, { index, id, isRunning: false }, undefined)).cell;
  }

  cellOf(id: string): LiveCell['cell'] | undefined {
    return this.#known(id)?.cell;
  }

  rowOf(id: string): AttemptRow | undefined {
    return this.#known(id)?.row;
  }

  #known(id: string): LiveCell | undefined {
    return this.#cells[indexOf(id)];
  }
}

/** -1 for what is no id of a cell. */
function indexOf(id: string): number {
  return Number(/^e(\d{1,9})$/.exec(id)?.[1] ?? 0) - 1;
}
