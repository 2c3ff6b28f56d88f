/**
 * Makes everything of a run folder that is not a journal: `waymark report <run>` makes it again. Each journal is read once; what is known
 * only at the end (the summary) stands before what comes first (the episodes), so that lists grow on the disk and not in memory.
 */
import { copyFileSync, existsSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { EpisodeResult } from '../events/index.ts';
import { putPieces, Spool } from '../journal/index.ts';
import { attemptView, differencesIn, gradedTask } from '../view/index.ts';
import { recordedCells } from './folder/recorded-cells.ts';
import { readRunFile } from './folder/run-file.ts';
import { ReportPage } from './html/report-page.ts';
import { keepManifest } from './integrity/manifest.ts';
import { JsonList } from './json-list.ts';
import { MarkdownReport } from './markdown-report.ts';
import { rebuildEpisodeFiles } from './rebuild-files.ts';
import { recordedAttempts, resultOf, wholeEventsIn } from './recorded-attempts.ts';
import { ReportFold, type ReportHead, reported } from './report.ts';
import { cellId, RunPageData } from './run-page-data.ts';
import { type RunWarning, WarningFold } from './run-warnings.ts';
import { isExpired } from './task-passes.ts';
import { tokenCounterOf } from './token-counter.ts';

export interface WrittenReports {
  report: ReportHead;
  warnings: RunWarning[];
}

export interface ReportOptions {
  /** Every result as it is folded. */
  onResult?: ((result: EpisodeResult) => void) | undefined;
  /** Another folder than the run's: to compare what is made with what is there. */
  into?: string | undefined;
  /** Also writes all journals into one file. By default only where the run has such a file. */
  joinJournals?: boolean | undefined;
}

export async function writeReports(
  root: string,
  { onResult, into = root, joinJournals = existsSync(path.join(root, 'events.jsonl')) }: ReportOptions = {},
): Promise<WrittenReports> {
  const run = readRunFile(root);
  const tokens = await tokenCounterOf(run.plan);
  const { runId } = run.plan;
  makeOwnFolder(path.join(into, 'reports'));
  const at = (...names: string[]): string => path.join(into, ...names);
  const cells = recordedCells(root, run);
  using short = new JsonList(at('report.json.list'));
  using whole = new JsonList(at('reports', `${runId}.json.list`));
  using markdown = new MarkdownReport(at('report.md'));
  using joined = joinJournals ? new Spool(at('events.jsonl.list')) : undefined;
  const fold = new ReportFold(run.plan.quarantined);
  using page = new ReportPage({ root, into });
  const pageData = new RunPageData(run.plan);
  const ids = new Map(cells.map(({ folder }, index) => [folder, cellId(index)]));
  const warned = new WarningFold();
  // Whole lines only: a line that a kill has torn would run into the next journal's first.
  const onLine = (line: Buffer): void => {
    joined?.add(line);
    joined?.add('\n');
  };
  const onDamaged = (why: string, folder: string): void =>
    warned.add({ taskId: path.relative(root, folder), warnings: [`journal: ${why}`] });
  for await (const attempt of recordedAttempts(root, cells, { onLine, onDamaged })) {
    rebuildEpisodeFiles(path.join(root, attempt.folder), attempt.events, at(attempt.folder));
    const result = resultOf(root, attempt, tokens);
    fold.add(result);
    warned.add(result);
    warned.addLooks(result.taskId, attempt.events);
    short.add(reported(result));
    whole.add(result);
    markdown.add(result);
    const id = ids.get(attempt.folder) ?? '';
    const isPlain = result.success && differencesIn(gradedTask(result)).length === 0;
    const view = attemptView(attempt.events, result, attempt.folder);
    const isOpenable = page.add(id, view, { success: result.success, isPlain });
    pageData.add(id, result, attempt.events, isOpenable);
    onResult?.(result);
  }
  const earlier = cells.flatMap((cell) => cell.earlier);
  for (const folder of earlier) {
    const events = await wholeEventsIn(path.join(root, folder), { onDamaged });
    if (events.length > 0) rebuildEpisodeFiles(path.join(root, folder), events, at(folder));
  }
  for (const [taskId, quarantine] of Object.entries(run.plan.quarantined ?? {}))
    if (isExpired(quarantine, run.plan.createdAt)) {
      const text = `quarantine: it was to end on ${quarantine.until} (${quarantine.reason}): mend the task, or give a later date`;
      warned.add({ taskId, warnings: [text] });
    }
  const head = fold.head(run, cells);
  const timed = fold.withTimes(head, cells);
  const warnings = warned.list();
  putPieces(at('report.json'), short.pieces(head, 'episodes'));
  putPieces(at('reports', `${runId}.json`), whole.pieces(timed, 'episodes'));
  putPieces(at('report.md'), markdown.pieces(timed, { earlier, warnings }));
  await page.write(pageData.view(timed, cells, warnings));
  same(at('report.md'), at('reports', `${runId}.md`));
  if (joined) {
    makeOwnFolder(at('events'));
    putPieces(at('events.jsonl'), joined.pieces());
    same(at('events.jsonl'), at('events', `${runId}.jsonl`));
  }
  if (into === root) keepManifest(root, run);
  return { report: head, warnings };
}

/** A link in its place would lead the reports out of the run. */
function makeOwnFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(folder);
  mkdirSync(folder, { recursive: true });
}

/** One file under two names. A file system without hard links gets a copy. */
function same(file: string, name: string): void {
  const made = `${name}.new`;
  rmSync(made, { force: true });
  try {
    linkSync(file, made);
  } catch {
    copyFileSync(file, made);
  }
  renameSync(made, name);
}
