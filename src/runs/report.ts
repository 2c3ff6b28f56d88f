/** The report of a run, folded from its journals. `report.json` holds nothing that varies from run to run but its four keys of time and name. */

import type { JournalEvent } from '../events/index.ts';
import { type EpisodeResult, episodeResult } from '../events/index.ts';
import { readJournal } from '../journal/index.ts';
import { type OutcomeClass, passRates, type Rate, type TokenCounter } from '../metrics/index.ts';

export interface RunReport {
  runId: string;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  format: 'waymark.report.v1';
  agent: string;
  server: { name: string; version: string; transport: string; isolation: string };
  browser: { product: string; kind: string };
  summary: RunSummary;
  episodes: ReportedEpisode[];
}

export interface RunSummary {
  episodes: number;
  passed: number;
  /** Over everything. */
  strict: Rate;
  /** Over what was not a fault of harness, server or browser. */
  validOnly: Rate;
  outcomes: Partial<Record<OutcomeClass, number>>;
}

/**
 * An episode without what a clock, a crash or another episode in the same browser has a say in: durations, scores of pages that were caught
 * in the middle of a change, warnings, and which attempt it was.
 */
export type ReportedEpisode = Omit<
  EpisodeResult,
  | 'runId'
  | 'attempt'
  | 'durationMs'
  | 'environment'
  | 'artifacts'
  | 'tokens'
  | 'warnings'
  | 'screenshots'
  | 'recovery'
  | 'reward'
  | 'wandering'
>;

export async function readEvents(file: string): Promise<JournalEvent[]> {
  const events: JournalEvent[] = [];
  for await (const event of readJournal(file)) if (event.type !== 'unknown') events.push(event);
  return events;
}

export function foldEpisode(
  events: readonly JournalEvent[],
  artifacts: EpisodeResult['artifacts'],
  tokens?: TokenCounter,
  oracleSteps?: number,
): EpisodeResult {
  return episodeResult(events, { artifacts, tokens, oracleSteps });
}

export function runReport(
  results: readonly EpisodeResult[],
  times: { runId: string; startedAt: Date; endedAt: Date; notBegun?: number },
): RunReport {
  const first = results[0];
  return {
    runId: times.runId,
    startedAt: times.startedAt.toISOString(),
    endedAt: times.endedAt.toISOString(),
    durationMs: times.endedAt.getTime() - times.startedAt.getTime(),
    format: 'waymark.report.v1',
    agent: first?.agent.kind ?? 'none',
    server: {
      name: first?.server.name ?? '',
      version: first?.server.version ?? '',
      transport: first?.server.transport ?? '',
      isolation: first?.server.isolation ?? '',
    },
    browser: first?.environment.browser ?? { product: '', kind: '' },
    summary: summaryOf(results, times.notBegun),
    episodes: results.map(reported),
  };
}

/** An episode that could not be begun is a fault of ours, and stays in the strict rate. */
export function summaryOf(results: readonly EpisodeResult[], notBegun = 0): RunSummary {
  const classes = [...results.map(({ outcome }) => outcome), ...Array<OutcomeClass>(notBegun).fill('env_error')];
  const outcomes: Partial<Record<OutcomeClass, number>> = {};
  for (const outcome of classes) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    episodes: classes.length,
    passed: results.filter(({ success }) => success).length,
    ...passRates(classes),
    outcomes,
  };
}

function reported(result: EpisodeResult): ReportedEpisode {
  const {
    runId: _runId,
    attempt: _attempt,
    durationMs: _durationMs,
    environment: _environment,
    artifacts: _artifacts,
    tokens: _tokens,
    warnings: _warnings,
    screenshots: _screenshots,
    recovery: _recovery,
    reward: _reward,
    wandering: _wandering,
    ...rest
  } = result;
  return withoutTimes(withoutTabIds(rest)) as ReportedEpisode;
}

/** Tabs are named by the browser at random; here by their order. */
function withoutTabIds(value: unknown): unknown {
  const names = new Map<string, string>();
  const text = JSON.stringify(value).replaceAll(/"[0-9A-F]{32}"/g, (id) => {
    const name = names.get(id) ?? `"tab-${names.size + 1}"`;
    names.set(id, name);
    return name;
  });
  return JSON.parse(text);
}

/** Evidence names moments (of a response, of a fact); two runs of the same thing differ in them and in nothing else. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'ts')
      .map(([key, inner]) => [key, withoutTimes(inner)]),
  );
}
