/**
 * A run in a folder: `run.json` (the plan; cells that are added later are in `cells.jsonl`), `episodes/<case>/trial-<n>/events.jsonl` (the journals) and `grades.jsonl` beside them. One
 * process writes it, which `run.lock` names; claims are kept in its memory, so that a kill gives all of them up.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { someOf, WaymarkError } from '../../errors/index.ts';
import type {
  AttemptRef,
  Cell,
  CellState,
  EventType,
  Grade,
  JournalEvent,
  NewEvent,
  RunPlan,
} from '../../events/index.ts';
import { chainedText, errnoOf, fileNotWritten, Journal, putJson, readJournal } from '../../journal/index.ts';
import { cellKey } from '../cell-key.ts';
import type {
  AttemptRecord,
  AttemptWriter,
  CellRecord,
  Claim,
  FinishedAttempt,
  NotBegun,
  RunStore,
} from '../run-store.ts';
import { addedCellsFile, lineOf, removeAddedCells } from './added-cells.ts';
import { readArtifact, writeArtifact } from './attempt-artifacts.ts';
import { attemptPath, attemptsOf, GRADES_FILE, JOURNAL_FILE, NOT_BEGUN_FILE } from './attempt-folders.ts';
import { appendGrades, readGrades } from './grades-file.ts';
import { LAUNCH_FILE } from './launch-file.ts';
import type { LineFile } from './line-file.ts';
import { dropManifest } from './manifest-file.ts';
import { isRun, type RunFile, readRunFile, writeRunFile } from './run-file.ts';
import { isExecuted, type LockPurpose, lockRun, type RunLock } from './run-lock.ts';

export interface FolderRunStoreOptions {
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
}

export class FolderRunStore implements RunStore, Disposable {
  readonly root: string;
  readonly #now: () => number;
  #file: RunFile | undefined;
  #lock: RunLock | undefined;
  #lease = 0;
  /** Cells that wait for an attempt, with its number; undefined until something is claimed. */
  #waiting: { cell: Cell; attempt: number }[] | undefined;
  /** Of those, the ones that have a finished attempt already. */
  readonly #reopened = new Set<string>();
  /** Of cells that were claimed before they were in the plan. */
  #added: LineFile | undefined;
  /** By case; undefined until something is claimed that way. */
  #lastTrials: Map<string, number> | undefined;
  /** Leases of attempts that are being written, by cell. */
  readonly #running = new Map<string, number>();

  constructor(root: string, { now = Date.now }: FolderRunStoreOptions = {}) {
    this.root = root;
    this.#now = now;
  }

  async create(plan: RunPlan): Promise<void> {
    if (isRun(this.root)) throw runExists(this.root);
    refuseOtherThings(this.root);
    this.#begin({ plan });
  }

  async plan(runId: string): Promise<RunPlan | undefined> {
    return this.#isKept(runId) ? this.#run(runId).plan : undefined;
  }

  async claim(runId: string, _worker: string, count: number): Promise<Claim[]> {
    const { plan } = this.#run(runId);
    this.#hold();
    this.#waiting ??= plan.cells.flatMap((cell) => {
      const attempts = this.#attempts(cell);
      return attempts.some(({ finished }) => finished) ? [] : [{ cell, attempt: attempts.length + 1 }];
    });
    const claimed = this.#waiting.splice(0, count);
    if (claimed.length > 0) this.#resume();
    return claimed.map(({ cell, attempt }) => {
      const lease = ++this.#lease;
      this.#running.set(cellKey(cell), lease);
      this.#reopened.delete(cellKey(cell));
      return { attempt: { runId, caseId: cell.caseId, trial: cell.trial, attempt }, lease };
    });
  }

  /** Adds the next trial of a case to the plan and claims it: for runs whose attempts are not known ahead. */
  claimNext(runId: string, caseId: string): Claim {
    this.#run(runId);
    this.#hold();
    this.#resume();
    const { plan } = this.#run(runId);
    this.#lastTrials ??= new Map(plan.cells.map((cell) => [cell.caseId, cell.trial]));
    const trial = 1 + (this.#lastTrials.get(caseId) ?? 0);
    // Before the attempt: after a kill, its folder belongs to a cell of the plan. A line each time: writing the plan again would make the cost
    // of a run grow with the square of its sessions.
    this.#added ??= addedCellsFile(this.root);
    this.#added.append(lineOf({ caseId, trial }));
    this.#lastTrials.set(caseId, trial);
    plan.cells.push({ caseId, trial });
    plan.trials = Math.max(plan.trials, trial);
    const lease = ++this.#lease;
    this.#running.set(cellKey({ caseId, trial }), lease);
    return { attempt: { runId, caseId, trial, attempt: 1 }, lease };
  }

  async open(claim: Claim): Promise<AttemptWriter> {
    this.#check(claim);
    const folder = this.folderOf(claim.attempt);
    makeFolder(folder);
    const journal = Journal.create(path.join(folder, JOURNAL_FILE), { now: this.#now });
    this.#announce(claim.attempt);
    return {
      folder,
      append: <T extends EventType>(event: NewEvent<T> & { type: T }) => journal.append<T>(event),
      // A line is the system's as soon as it is appended: nothing waits in this process.
      flush: async () => {},
      finish: async () => {
        this.#check(claim);
        if (!journal.ended) throw notEnded(claim.attempt);
        await journal.close();
        this.#running.delete(cellKey(claim.attempt));
      },
      [Symbol.asyncDispose]: async () => {
        if (this.#running.get(cellKey(claim.attempt)) === claim.lease) this.#running.delete(cellKey(claim.attempt));
        await journal.close();
      },
    };
  }

  async giveUp(claim: Claim, why?: NotBegun): Promise<string | undefined> {
    this.#check(claim);
    this.#running.delete(cellKey(claim.attempt));
    const { caseId, trial, attempt } = claim.attempt;
    if (!why) {
      this.#waiting?.unshift({ cell: { caseId, trial }, attempt });
      return undefined;
    }
    const folder = this.folderOf(claim.attempt);
    makeFolder(folder);
    putJson(path.join(folder, NOT_BEGUN_FILE), { ...why, at: new Date(this.#now()).toISOString() });
    this.#announce(claim.attempt);
    return folder;
  }

  /** Who watches the folder reads only cells that have not ended again, unless the plan's file has changed: as it has now. */
  #announce({ attempt }: AttemptRef): void {
    if (attempt === 1) return;
    const now = new Date();
    utimesSync(path.join(this.root, 'run.json'), now, now);
  }

  async reopen(runId: string, cells: readonly Cell[]): Promise<void> {
    this.#run(runId);
    await this.claim(runId, '', 0);
    const waiting = new Set(this.#waiting?.map(({ cell }) => cellKey(cell)));
    for (const cell of cells) {
      if (waiting.has(cellKey(cell)) || this.#running.has(cellKey(cell))) continue;
      waiting.add(cellKey(cell));
      this.#waiting?.push({ cell, attempt: this.#attempts(cell).length + 1 });
      this.#reopened.add(cellKey(cell));
    }
  }

  async end(runId: string, endedAt: number): Promise<void> {
    const run = this.#run(runId);
    this.#hold();
    this.#write({ ...run, endedAt: new Date(endedAt).toISOString() });
  }

  async addFinished(plan: RunPlan, attempts: readonly FinishedAttempt[]): Promise<void> {
    if (existsSync(this.root) && readdirSync(this.root).length > 0) throw runExists(this.root);
    // Made beside it and renamed into place: after a kill there is the whole run, or none.
    const made = `${this.root}.${plan.runId}.new`;
    rmSync(made, { recursive: true, force: true });
    try {
      for (const { attempt, events, grades = [] } of attempts) {
        if (events.at(-1)?.type !== 'stop') throw notEnded(attempt);
        const folder = path.join(made, attemptPath(attempt));
        makeFolder(folder);
        writeFileSync(path.join(folder, JOURNAL_FILE), chainedText(events));
        if (grades.length > 0) appendGrades(path.join(folder, GRADES_FILE), grades);
      }
      makeFolder(made);
      writeRunFile(made, { plan, endedAt: new Date(this.#now()).toISOString() });
      renameSync(made, this.root);
    } catch (error) {
      rmSync(made, { recursive: true, force: true });
      throw error;
    }
  }

  async appendGrades(attempt: AttemptRef, grades: readonly Grade[]): Promise<void> {
    this.#run(attempt.runId);
    this.#hold('grade');
    appendGrades(path.join(this.folderOf(attempt), GRADES_FILE), grades);
  }

  async *cells(runId: string): AsyncGenerator<CellRecord, void, undefined> {
    const isElsewhere = this.#lock === undefined && isExecuted(this.root);
    for (const cell of this.#run(runId).plan.cells) {
      const attempts = this.#attempts(cell);
      yield { ...cell, state: this.#stateOf(cell, attempts, isElsewhere), attempts };
    }
  }

  async *events(attempt: AttemptRef): AsyncGenerator<JournalEvent, void, undefined> {
    for await (const event of readJournal(path.join(this.folderOf(attempt), JOURNAL_FILE)))
      if (event.type !== 'unknown') yield event;
  }

  async grades(attempt: AttemptRef): Promise<Grade[]> {
    return readGrades(path.join(this.folderOf(attempt), GRADES_FILE));
  }

  async artifact(attempt: AttemptRef, key: string): Promise<Uint8Array | undefined> {
    return readArtifact(this.folderOf(attempt), key);
  }

  async keepArtifact(attempt: AttemptRef, key: string, content: Uint8Array): Promise<void> {
    this.#run(attempt.runId);
    this.#hold('grade');
    writeArtifact(this.folderOf(attempt), key, content);
  }

  folderOf(attempt: AttemptRef): string {
    return path.join(this.root, attemptPath(attempt));
  }

  /** Gives up the right to write. Claims that are still open are lost. */
  [Symbol.dispose](): void {
    this.#running.clear();
    this.#added?.[Symbol.dispose]();
    this.#added = undefined;
    this.#lock?.[Symbol.dispose]();
    this.#lock = undefined;
  }

  /** Writes the plan before the first attempt: what a kill leaves can then be reported and resumed. */
  #begin(run: RunFile): void {
    makeFolder(this.root);
    this.#hold();
    // A copy: `claimNext` adds cells to it.
    this.#write({ ...run, plan: { ...run.plan, cells: [...run.plan.cells] } });
  }

  #write(run: RunFile): void {
    writeRunFile(this.root, run);
    this.#file = run;
    this.#added?.[Symbol.dispose]();
    this.#added = undefined;
    removeAddedCells(this.root);
  }

  /** A run that is executed again has not ended. */
  #resume(): void {
    dropManifest(this.root);
    if (!this.#file || (this.#file.endedAt === undefined && !this.#file.notBegun)) return;
    for (const [folder, reason] of this.#file.notBegun ?? [])
      putJson(path.join(this.root, folder, NOT_BEGUN_FILE), { reason });
    this.#write({ plan: this.#file.plan });
  }

  #isKept(runId: string): boolean {
    return isRun(this.root) && (this.#file ?? readRunFile(this.root)).plan.runId === runId;
  }

  #run(runId: string): RunFile {
    if (!this.#isKept(runId))
      throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId} in ${this.root}.` });
    this.#file ??= readRunFile(this.root);
    return this.#file;
  }

  #hold(purpose?: LockPurpose): void {
    this.#lock ??= lockRun(this.root, purpose);
  }

  #attempts(cell: Cell): AttemptRecord[] {
    return attemptsOf(this.root, cell, this.#file?.notBegun);
  }

  #check({ attempt, lease }: Claim): void {
    if (this.#running.get(cellKey(attempt)) === lease && this.#lock?.isHeld()) return;
    throw new WaymarkError({
      code: 'lease_lost',
      message: `Attempt ${attempt.attempt} at ${attempt.caseId} (trial ${attempt.trial}) is no longer this worker's to write.`,
      hint: 'Another process has taken over the run. Nothing more was written by this one.',
    });
  }

  #stateOf(cell: Cell, attempts: readonly AttemptRecord[], isElsewhere: boolean): CellState {
    if (this.#running.has(cellKey(cell))) return 'running';
    if (attempts.some(({ finished }) => finished)) return this.#reopened.has(cellKey(cell)) ? 'pending' : 'finished';
    const last = attempts.at(-1);
    if (last?.notBegun !== undefined) return 'missing';
    // Another process executes the run, and this attempt has no end yet.
    return last && isElsewhere ? 'running' : 'pending';
  }
}

function makeFolder(folder: string): void {
  try {
    makeEach(folder);
  } catch (cause) {
    throw fileNotWritten(folder, cause);
  }
}

/** Not `recursive`: Node tries for ever where a folder exists and the system says that it does not, as in /proc. */
function makeEach(folder: string): void {
  if (existsSync(folder)) return;
  makeEach(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

/** A run writes and replaces files of many names. What a kill has left of its very first moment is not in the way. */
function refuseOtherThings(root: string): void {
  const isOther = (name: string): boolean => !/^run\.(?:lock|json)/.test(name) && name !== LAUNCH_FILE;
  const others = existsSync(root) ? readdirSync(root).filter(isOther) : [];
  if (others.length === 0) return;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `${root} is no run and has other things in it (${someOf(others, 3)}). Nothing was run.`,
    hint: 'Choose a new or an empty folder with --out.',
  });
}

export function runExists(root: string, state?: 'finished'): WaymarkError {
  return new WaymarkError({
    code: 'usage_run_exists',
    message: `There is a ${state ? `${state} ` : ''}run in ${root} already. Nothing was run.`,
    hint: state
      ? 'Choose another folder with --out, or add --resume to try again what ended by a fault.'
      : 'Add --resume to continue it, or choose another folder with --out.',
  });
}

function notEnded({ caseId, attempt }: AttemptRef): WaymarkError {
  return new WaymarkError({
    code: 'attempt_not_ended',
    message: `Attempt ${attempt} at ${caseId} has no stop event: it can't be finished.`,
  });
}
