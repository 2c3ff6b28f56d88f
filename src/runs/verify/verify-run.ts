/** Is a run what its journals say? Everything is made again from the recorded evidence alone, without a browser, and compared. */
import type { KeyObject } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EpisodeTaskSpec, taskHash } from '../../cases/index.ts';
import { someOf, WaymarkError } from '../../errors/index.ts';
import type { EventOf, JournalEvent } from '../../events/index.ts';
import { isAgentOutcome, outcomeClass } from '../../metrics/index.ts';
import { GRADES_FILE, notBegunIn } from '../folder/attempt-folders.ts';
import { readGrades } from '../folder/grades-file.ts';
import { type RecordedCell, recordedCells } from '../folder/recorded-cells.ts';
import { type RunFile, readRunFile } from '../folder/run-file.ts';
import { readEvents } from '../report.ts';
import { CoverageFold, type RunCoverage } from '../run-coverage.ts';
import { writeReports } from '../write-reports.ts';
import type { Discrepancy } from './discrepancy.ts';
import { verifyEvents } from './verify-events.ts';
import { type Integrity, verifyIntegrity } from './verify-integrity.ts';
import { orderDifferences } from './verify-order.ts';
import { fileDifferences } from './verify-pictures.ts';
import { planDifferences, startDifferences } from './verify-plan.ts';
import { madeDifferences } from './verify-reports.ts';

export interface VerifiedEpisode {
  folder: string;
  taskId?: string;
  trial?: number;
  verdicts: number;
  rewards: number;
  differences: Discrepancy[];
  /** What is no difference, but explains one. */
  notes: string[];
}

export interface VerifiedRun extends RunCoverage {
  runId: string;
  ok: boolean;
  /** Planned episodes whose journal was evaluated again. */
  evaluated: number;
  episodes: VerifiedEpisode[];
  /** Of run.json, and of folders that are of no planned attempt. */
  plan: Discrepancy[];
  /** Of the files that are made from the journals. */
  report: Discrepancy[];
  notes: string[];
  /** Hash chains, manifest, signature. */
  integrity: Integrity;
}

export interface VerifyOptions {
  /** The run must be signed by it. */
  publicKey?: KeyObject | undefined;
  /** Of Waymark. Files that another version made may look otherwise. */
  version: string;
}

export async function verifyRun(root: string, { version, publicKey }: VerifyOptions): Promise<VerifiedRun> {
  const run = readRunFile(root);
  const cells = recordedCells(root, run);
  const coverage = new CoverageFold();
  const episodes: VerifiedEpisode[] = [];
  const tasks = new Map<string, string>();
  let evaluated = 0;
  for (const cell of cells) {
    const { verified, events } = await verifyEpisode(root, cell, run);
    episodes.push(verified);
    if (!events) continue;
    evaluated++;
    const [start] = events;
    if (start?.type === 'start') tasks.set(cell.caseId, taskHash(start.task as EpisodeTaskSpec));
    const stop = events.at(-1);
    const isFinished = stop?.type === 'stop' && stop.interrupted !== true;
    coverage.add({ taskId: cell.caseId, trial: cell.trial, ...(isFinished ? {} : { interrupted: true }) });
  }
  // A journal that can't be read has made its difference already; reports without it can't be compared.
  const isWhole = episodes.every(({ differences }) => differences.every(({ what }) => what !== 'journal'));
  const { report, notes } = isWhole ? await verifyReports(root, run, version) : { report: [], notes: [] };
  const plan = planDifferences(root, run, cells, tasks);
  const integrity = await verifyIntegrity(root, run, publicKey);
  const ok = [report, plan, integrity.differences, ...episodes.map(({ differences }) => differences)].every(
    (found) => found.length === 0,
  );
  return { runId: run.plan.runId, ok, ...coverage.of(cells), evaluated, episodes, plan, report, notes, integrity };
}

async function verifyReports(
  root: string,
  run: RunFile,
  version: string,
): Promise<Pick<VerifiedRun, 'report' | 'notes'>> {
  // Not into the run's folder, which may not be writable: nothing of it is changed here.
  const made = mkdtempSync(path.join(tmpdir(), 'waymark-verify-'));
  try {
    await writeReports(root, { into: made });
    const found = madeDifferences(root, made);
    const maker = run.plan.inputs.of['waymark'];
    if (!run.isOld && maker === version) return { report: found, notes: [] };
    // The layout of these files changes from version to version; what report.json says does not.
    const report = found.filter(({ file }) => file === 'report.json');
    const others = found.flatMap(({ file }) => (file === undefined || file === 'report.json' ? [] : [file]));
    const by = `another version of Waymark${maker === undefined ? '' : ` (${maker})`}`;
    const note = `Made by ${by}, and not as this one makes it, so that it was not compared: ${someOf(others)}.`;
    return { report, notes: others.length === 0 ? [] : [note] };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function verifyEpisode(
  root: string,
  cell: RecordedCell,
  run: RunFile,
): Promise<{ verified: VerifiedEpisode; events?: JournalEvent[] }> {
  const { folder, notBegun, attempts } = cell;
  const bare = { folder, verdicts: 0, rewards: 0, notes: [] };
  const file = path.join(root, folder, 'events.jsonl');
  const isCutOff = run.endedAt === undefined;
  const earlier = await earlierDifferences(root, cell, run);
  if (!existsSync(file) || (isCutOff && statSync(file).size === 0)) {
    const why =
      notBegun?.reason ??
      (isCutOff ? 'the run was cut off before' : attempts === 0 ? 'the run was stopped before' : undefined);
    if (why !== undefined)
      return { verified: { ...bare, differences: earlier, notes: [`It was never begun: ${why}`] } };
    const gone: Discrepancy = { what: 'journal', recorded: 'in run.json', again: 'not there' };
    return { verified: { ...bare, differences: [...earlier, gone] } };
  }
  try {
    const events = await readEvents(file);
    const { start, differences, ...counts } = verifyEvents(events);
    // Only whether they are grades: what a judge or a program said can't be computed again here.
    readGrades(path.join(root, folder, GRADES_FILE));
    const all = [
      ...startDifferences(start, cell, run),
      ...differences,
      ...fileDifferences(root, folder, events),
      ...(notBegunIn(path.join(root, folder))
        ? [{ what: 'attempt' as const, recorded: 'not begun', again: 'it has a journal' }]
        : []),
      ...earlier,
    ];
    return { verified: { folder, taskId: start.taskId, trial: start.trial, ...counts, differences: all }, events };
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'journal_corrupt') throw error;
    const damaged: Discrepancy = { what: 'journal', recorded: 'damaged', again: error.message };
    return { verified: { ...bare, differences: [...earlier, damaged] } };
  }
}

/** Attempts that do not count: they must be of this cell, and there must have been a reason to make another one. */
async function earlierDifferences(root: string, cell: RecordedCell, run: RunFile): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (const [index, folder] of cell.earlier.entries()) {
    const events = await eventsIfWhole(path.join(root, folder, 'events.jsonl'));
    const [start] = events;
    if (start?.type !== 'start' || start.kind === 'question') continue;
    // The attempts are numbered in the order of their folders, without the one that counts.
    const attempt = index + 1 < cell.attempt ? index + 1 : index + 2;
    const differences = [
      ...startDifferences(start, { ...cell, attempt }, run),
      ...orderDifferences(events),
      ...fileDifferences(root, folder, events),
      ...needlessAttempt(events),
    ];
    found.push(...differences.map((difference) => ({ file: path.join(folder, 'events.jsonl'), ...difference })));
  }
  return found;
}

/** A damaged journal is a reason for another attempt. */
async function eventsIfWhole(file: string): Promise<JournalEvent[]> {
  if (!existsSync(file)) return [];
  try {
    return await readEvents(file);
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'journal_corrupt') return [];
    throw error;
  }
}

/** What the agent has decided is not tried again: that would be to choose the better of two results. */
function needlessAttempt(events: readonly JournalEvent[]): Discrepancy[] {
  const stop = events.findLast((event): event is EventOf<'stop'> => event.type === 'stop');
  const isClean = events.every((event) => event.type !== 'reset' || event.ok);
  if (!stop || stop.interrupted || !isClean || !isAgentOutcome(outcomeClass(stop.status, stop.cause))) return [];
  return [{ seq: stop.seq, what: 'attempt', recorded: stop.status, again: 'there is a later attempt' }];
}
