/**
 * Scoring a finished run again by the rules of today. Journals are never touched: what the rules give goes into `rescored.json`, with the
 * hashes that made it. When nothing changed, its results are those of `reports/<run-id>.json`, to the byte.
 */
import path from 'node:path';
import type { JournalEvent } from '../events/index.ts';
import { type Difference, type EpisodeResult, rescoreEvents } from '../events/index.ts';
import { putJson } from '../journal/index.ts';
import { loadTokenCounter } from '../metrics/index.ts';
import { REWARD_PROVENANCE } from '../reward/index.ts';
import { readRunFile } from './folder/run-file.ts';
import { type RunSummary, summaryOf } from './report.ts';
import { eachEpisode, resultOf } from './write-run.ts';

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

export async function rescoreRun(root: string): Promise<{ file: string; rescored: RescoredRun }> {
  const { runId } = readRunFile(root).plan;
  const tokens = await loadTokenCounter();
  const episodes: EpisodeResult[] = [];
  const changed: RescoredRun['changed'] = [];
  const rules = new Map<string, { scorer: string; constants: string }>();
  for await (const episode of eachEpisode(root)) {
    const before = resultOf(root, episode, tokens);
    const after = resultOf(root, { ...episode, events: rescoredEvents(episode.events) }, tokens);
    episodes.push(after);
    const { scorer, constants } = before.hashes;
    rules.set(`${scorer} ${constants}`, { scorer, constants });
    const fields = changedFields(before, after);
    if (fields.length > 0) changed.push({ taskId: after.taskId, trial: after.trial, attempt: after.attempt, fields });
  }
  const rescored: RescoredRun = {
    format: 'waymark.rescored.v1',
    runId,
    rules: REWARD_PROVENANCE,
    recordedRules: [...rules.values()],
    changed,
    summary: summaryOf(episodes),
    episodes,
  };
  const file = path.join(root, 'rescored.json');
  putJson(file, rescored);
  return { file, rescored };
}

/** The journal as it would stand, had today's rules judged it. What happened stays: calls, results, facts and how it ended. */
export function rescoredEvents(events: readonly JournalEvent[]): JournalEvent[] {
  const again = new Map<number, Difference[]>();
  for (const difference of rescoreEvents(events).differences)
    again.set(difference.seq, [...(again.get(difference.seq) ?? []), difference]);
  return events.map((event) => {
    if (event.type === 'start' && event.kind !== 'question')
      return { ...event, hashes: { ...event.hashes, ...REWARD_PROVENANCE } };
    return (again.get(event.seq) ?? []).reduce(amended, event);
  });
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
