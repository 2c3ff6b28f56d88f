/** Journals that version 0.1.0 wrote fold to the same bytes as they did then; only the scores that a target changes are computed anew. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Reward } from '../reward/index.ts';
import type { JournalEvent } from './events.ts';
import { ledgerLines } from './ledger-attempts.ts';
import { MetadataFold } from './metadata.ts';
import { parseEvent } from './parse-event.ts';
import { rescoreEvents } from './rescore-events.ts';
import { type EpisodeResult, episodeResult } from './result.ts';

const root = path.resolve(import.meta.dirname, '../../test/old-data/runs');
const finished = globSync('*/episodes/*/*/metadata.json', { cwd: root }).map((file) => path.dirname(file));

function eventsOf(folder: string): JournalEvent[] {
  const lines = readFileSync(path.join(root, folder, 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const parsed = parseEvent(JSON.parse(line));
    if (!parsed.ok || parsed.event.type === 'unknown') throw new Error(line);
    return parsed.event;
  });
}

test('there are some, and the targets change scores of theirs', () => {
  expect(finished.length).toBeGreaterThan(10);
  expect(finished.some((folder) => rescoreEvents(eventsOf(folder)).differences.length > 0)).toBe(true);
});

test.each(finished)('%s', (folder) => {
  const events = eventsOf(folder);
  const read = (name: string): string => readFileSync(path.join(root, folder, name), 'utf8');
  expect(ledgerLines(events)).toBe(read('ledger.jsonl'));
  const fold = new MetadataFold();
  for (const event of events) fold.add(event);
  expect(JSON.stringify(fold.metadata())).toBe(JSON.stringify(JSON.parse(read('metadata.json'))));
  for (const { what, recorded, again } of rescoreEvents(events).differences) {
    // Version 0.1.0 passed no targets. Without what a target adds or takes away, its reasons are those of today.
    expect(what).toBe('reward');
    expect(untargeted(again)).toEqual(untargeted(recorded));
    // Nor did it say what a step adds to the sum of the episode.
    expect([Object(recorded).contribution, Object(again).contribution]).toEqual([undefined, expect.any(Number)]);
  }

  const run = folder.split(path.sep)[0] ?? '';
  const recorded = reported(run).find(({ artifacts }) => folder.endsWith(path.dirname(artifacts.eventsJsonl)));
  // A run that was killed has no report, and an earlier attempt stands in none.
  if (!recorded) return;
  const again = episodeResult(events, { artifacts: recorded.artifacts });
  // These two need the length of the oracle, which no journal holds.
  const { pathEfficiency, wastedSteps } = recorded.wandering;
  expect({ ...again, wandering: { ...again.wandering, pathEfficiency, wastedSteps } }).toMatchObject(recorded);
});

function untargeted(reward: unknown): unknown[] {
  const { reasons }: Reward = Object(reward);
  return reasons.filter(({ signal }) => signal !== 'goal_state' && signal !== 'auth_wall');
}

function reported(run: string): EpisodeResult[] {
  const [report] = globSync('reports/*.json', { cwd: path.join(root, run) });
  if (report === undefined) return [];
  return JSON.parse(readFileSync(path.join(root, run, report), 'utf8')).episodes;
}
