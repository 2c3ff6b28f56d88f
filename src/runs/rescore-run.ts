/**
 * Scoring a finished run again by the rules of this version. Journals are never touched: the results go into `rescored.json`, with the hashes
 * of the rules that made them; those of other rules get a number (`rescored-2.json`), so that no earlier round is written over. When nothing
 * changed, its results are those of `reports/<run-id>.json`, to the byte.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { JournalEvent } from '../events/index.ts';
import { type Difference, type EpisodeResult, rescoreEvents } from '../events/index.ts';
import { putPieces } from '../journal/index.ts';
import { REWARD_PROVENANCE } from '../reward/index.ts';
import { recordedCells } from './folder/recorded-cells.ts';
import { readRunFile } from './folder/run-file.ts';
import { keepFileInManifest } from './integrity/manifest.ts';
import { JsonList } from './json-list.ts';
import { recordedAttempts, resultOf } from './recorded-attempts.ts';
import { ReportFold, type RunSummary } from './report.ts';
import { tokenCounterOf } from './token-counter.ts';

export interface RescoredRun {
  format: 'waymark.rescored.v1';
  runId: string;
  /** The rules that made these results. */
  rules: { scorer: string; constants: string };
  /** Rules that the run was recorded with, each once. */
  recordedRules: { scorer: string; constants: string }[];
  changed: { taskId: string; trial: number; attempt: number; fields: string[] }[];
  summary: RunSummary;
  episodes: EpisodeResult[];
}

/** Without its episodes, which are in the file. */
export type RescoredHead = Omit<RescoredRun, 'episodes'>;

export async function rescoreRun(root: string): Promise<{ file: string; rescored: RescoredHead }> {
  const run = readRunFile(root);
  const file = roundFile(root);
  using episodes = new JsonList(`${file}.list`);
  const fold = new ReportFold();
  const tokens = await tokenCounterOf(run.plan);
  const changed: RescoredRun['changed'] = [];
  const rules = new Map<string, { scorer: string; constants: string }>();
  const cells = recordedCells(root, run);
  for await (const attempt of recordedAttempts(root, cells)) {
    const before = resultOf(root, attempt, tokens);
    const events = rescoredEvents(attempt.events);
    const after = events === attempt.events ? before : resultOf(root, { ...attempt, events }, tokens);
    episodes.add(after);
    fold.add(after);
    const { scorer, constants } = before.hashes;
    rules.set(`${scorer} ${constants}`, { scorer, constants });
    const fields = after === before ? [] : changedFields(before, after);
    if (fields.length > 0) changed.push({ taskId: after.taskId, trial: after.trial, attempt: after.attempt, fields });
  }
  const rescored: RescoredHead = {
    format: 'waymark.rescored.v1',
    runId: run.plan.runId,
    rules: REWARD_PROVENANCE,
    recordedRules: [...rules.values()],
    changed,
    summary: fold.summary(cells),
  };
  putPieces(file, episodes.pieces(rescored, 'episodes'));
  keepFileInManifest(root, run, path.basename(file));
  return { file, rescored };
}

/** The file of this version's rules: that of an earlier round by the same rules, or else the next number. */
function roundFile(root: string): string {
  for (let round = 1; ; round++) {
    const file = path.join(root, round === 1 ? 'rescored.json' : `rescored-${round}.json`);
    if (!existsSync(file) || isByTheseRules(file)) return file;
  }
}

/** Its first lines name the rules; the rest may be long. */
function isByTheseRules(file: string): boolean {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(1024);
    const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
    return text.includes(JSON.stringify({ rules: REWARD_PROVENANCE }, null, 2).slice(2, -2));
  } finally {
    closeSync(fd);
  }
}

/** The journal as it would stand, had today's rules judged it; the same list where nothing differs. What happened stays: calls, results, facts and how it ended. */
function rescoredEvents(events: JournalEvent[]): JournalEvent[] {
  const { differences } = rescoreEvents(events);
  if (differences.length === 0 && isByTodaysRules(events)) return events;
  const again = new Map<number, Difference[]>();
  for (const difference of differences) again.set(difference.seq, [...(again.get(difference.seq) ?? []), difference]);
  return events.map((event) => {
    if (event.type === 'start' && event.kind !== 'question')
      return { ...event, hashes: { ...event.hashes, ...REWARD_PROVENANCE } };
    return (again.get(event.seq) ?? []).reduce(amended, event);
  });
}

function isByTodaysRules(events: readonly JournalEvent[]): boolean {
  const { scorer, constants } = REWARD_PROVENANCE;
  return events.every(
    (event) =>
      event.type !== 'start' ||
      event.kind === 'question' ||
      (event.hashes.scorer === scorer && event.hashes.constants === constants),
  );
}

function amended(event: JournalEvent, { what, again }: Difference): JournalEvent {
  // A score that is missing stands at its verdict: nothing of the verdict is to be changed.
  if (what === 'reward' && event.type !== 'reward') return event;
  const fields = what === 'reward' ? Object(again) : { [what]: again };
  return { ...event, ...fields };
}

/** Which parts of a result differ, by name. */
function changedFields(before: EpisodeResult, after: EpisodeResult): string[] {
  const was = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(was.get(name)) ? [] : [name],
  );
}
