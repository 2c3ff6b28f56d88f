/** Makes everything of a run folder that is not a journal. It can be made again at any time: `waymark report <run>`. */
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LEDGER_FILE, METADATA_FILE } from '../episode/index.ts';
import type { EpisodeResult, JournalEvent } from '../events/index.ts';
import { putJson, putText } from '../journal/index.ts';
import { loadTokenCounter, type TokenCounter } from '../metrics/index.ts';
import { episodeView } from '../view/index.ts';
import { type RecordedCell, recordedCells } from './folder/recorded-cells.ts';
import { type RunFile, readRunFile } from './folder/run-file.ts';
import { type HtmlInput, htmlReport } from './html/html-report.ts';
import { markdownReport } from './markdown-report.ts';
import { rebuildEpisodeFiles } from './rebuild-files.ts';
import { foldEpisode, type RunReport, readEvents, runReport } from './report.ts';

export interface WrittenRun {
  report: RunReport;
  results: EpisodeResult[];
}

export interface RecordedEpisode {
  folder: string;
  oracleSteps?: number;
  events: JournalEvent[];
}

/** Every episode's events, in the order of the plan, one episode at a time. Those whose journal was never begun are left out. */
export async function* eachEpisode(root: string): AsyncGenerator<RecordedEpisode, void, undefined> {
  for (const { folder, oracleSteps } of recordedCells(root, readRunFile(root))) {
    const file = path.join(root, folder, 'events.jsonl');
    const events = existsSync(file) ? await readEvents(file) : [];
    // Empty: a kill came right after the file was made.
    if (events.length === 0) continue;
    yield { folder, ...(oracleSteps === undefined ? {} : { oracleSteps }), events };
  }
}

export async function readEpisodes(root: string): Promise<RecordedEpisode[]> {
  const episodes: RecordedEpisode[] = [];
  for await (const episode of eachEpisode(root)) episodes.push(episode);
  return episodes;
}

/** The result of a recorded episode; `events` may be given in place of those that were read. */
export function resultOf(
  root: string,
  { folder, oracleSteps, events }: RecordedEpisode,
  tokens?: TokenCounter,
): EpisodeResult {
  const screenshots = path.join(folder, 'screenshots');
  const named = (name: string): string | undefined =>
    existsSync(path.join(root, folder, name)) ? path.join(folder, name) : undefined;
  const [ledgerJsonl, metadataJson] = [named(LEDGER_FILE), named(METADATA_FILE)];
  const artifacts = {
    eventsJsonl: path.join(folder, 'events.jsonl'),
    reportJson: 'report.json',
    ...(ledgerJsonl === undefined ? {} : { ledgerJsonl }),
    ...(metadataJson === undefined ? {} : { metadataJson }),
    ...(existsSync(path.join(root, screenshots)) && readdirSync(path.join(root, screenshots)).length > 0
      ? { screenshotDir: screenshots }
      : {}),
  };
  return foldEpisode(events, artifacts, tokens, oracleSteps);
}

export async function writeReports(root: string): Promise<WrittenRun> {
  const tokens = await loadTokenCounter();
  const run = readRunFile(root);
  const cells = recordedCells(root, run);
  for (const name of ['reports', 'events']) mkdirSync(path.join(root, name), { recursive: true });
  const episodes: { result: EpisodeResult; view: HtmlInput['episodes'][number]['view']; folder: string }[] = [];
  for await (const episode of eachEpisode(root)) {
    rebuildEpisodeFiles(path.join(root, episode.folder), episode.events);
    // What the pages need of it, and not the events: a long run must not fill the memory.
    episodes.push({
      result: resultOf(root, episode, tokens),
      view: episodeView(episode.events),
      folder: episode.folder,
    });
  }
  const results = episodes.map(({ result }) => result);
  const report = reportOf(run, results, cells);
  const earlier = cells.flatMap(({ earlier: folders }) => folders);
  for (const folder of earlier) {
    const file = path.join(root, folder, 'events.jsonl');
    if (existsSync(file)) rebuildEpisodeFiles(path.join(root, folder), await readEvents(file));
  }
  const markdown = markdownReport(report, results, earlier);
  putJson(path.join(root, 'report.json'), report);
  putText(path.join(root, 'report.md'), markdown);
  putJson(path.join(root, 'reports', `${run.plan.runId}.json`), { ...report, episodes: results });
  putText(path.join(root, 'reports', `${run.plan.runId}.md`), markdown);
  const notBegun = cells.flatMap(({ folder, notBegun: why }) => (why === undefined ? [] : `${folder}: ${why}`));
  putText(path.join(root, 'report.html'), htmlReport({ report, episodes, root, notBegun, earlier }));
  await joinJournals(root, run.plan.runId, cells);
  return { report, results };
}

export function reportOf(
  { plan, endedAt }: RunFile,
  results: readonly EpisodeResult[],
  cells: readonly RecordedCell[],
): RunReport {
  const startedAt = new Date(plan.createdAt);
  const notBegun = cells.filter((cell) => cell.notBegun !== undefined).length;
  return runReport(results, {
    runId: plan.runId,
    startedAt,
    endedAt: endedAt === undefined ? startedAt : new Date(endedAt),
    notBegun,
  });
}

/** All journals one after the other: one file to read a run by. */
async function joinJournals(root: string, runId: string, cells: readonly RecordedCell[]): Promise<void> {
  for (const target of ['events.jsonl', path.join('events', `${runId}.jsonl`)]) {
    const file = path.join(root, target);
    await pipeline(wholeLines(root, cells), createWriteStream(`${file}.new`));
    renameSync(`${file}.new`, file);
  }
}

function* wholeLines(root: string, cells: readonly RecordedCell[]): Generator<Buffer, void, undefined> {
  for (const { folder } of cells) {
    const journal = path.join(root, folder, 'events.jsonl');
    if (!existsSync(journal)) continue;
    // A line that a crash has torn would run into the next journal's first.
    const bytes = readFileSync(journal);
    yield bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  }
}
