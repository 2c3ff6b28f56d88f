/** Is a run what its journals say? Every verdict and score is made again from the recorded evidence alone, without a browser. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EpisodeTaskSpec, taskHash } from '../cases/index.ts';
import { contractHash, parseContract } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { EventOf, JournalEvent, TaskStart } from '../events/index.ts';
import { type EpisodeResult, rescoreEvents } from '../events/index.ts';
import { REWARD_PROVENANCE } from '../reward/index.ts';
import { type RecordedCell, recordedCells } from './folder/recorded-cells.ts';
import { readRunFile } from './folder/run-file.ts';
import { JsonList } from './json-list.ts';
import { resultOf } from './recorded-attempts.ts';
import { ReportFold, type RunReport, readEvents, reported } from './report.ts';
import { CoverageFold, type RunCoverage } from './run-coverage.ts';

const NEWLINE = 0x0a;

export interface Discrepancy {
  /** The event's number in its journal; absent where no event is to blame. */
  seq?: number;
  what: 'verdict' | 'evidence' | 'reward' | 'state' | 'task_hash' | 'contract_hash' | 'status' | 'journal' | 'report';
  recorded: unknown;
  again: unknown;
}

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
  /** Of report.json. */
  report: Discrepancy[];
}

export async function verifyRun(root: string): Promise<VerifiedRun> {
  const run = readRunFile(root);
  const episodes: VerifiedEpisode[] = [];
  const cells = recordedCells(root, run);
  // Not into the run's folder, which may not be writable: nothing of it is changed here.
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-verify-'));
  try {
    using again = new JsonList(path.join(folder, 'report.json'));
    const fold = new ReportFold();
    const coverage = new CoverageFold();
    let evaluated = 0;
    for (const planned of cells) {
      const { verified, result } = await verifyEpisode(root, planned, run.endedAt === undefined);
      episodes.push(verified);
      if (!result) continue;
      evaluated++;
      fold.add(result);
      coverage.add(result);
      again.add(reported(result));
    }
    // A journal that can't be read has made its difference already; a report without it can't be compared.
    const isWhole = episodes.every(({ differences }) => differences.every(({ what }) => what !== 'journal'));
    const report = isWhole ? reportDifference(root, again.pieces(fold.head(run, cells), 'episodes')) : [];
    const ok = report.length === 0 && episodes.every(({ differences }) => differences.length === 0);
    return { runId: run.plan.runId, ok, ...coverage.of(cells), evaluated, episodes, report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verifyEpisode(
  root: string,
  { folder, oracleSteps, notBegun, attempts }: RecordedCell,
  isCutOff: boolean,
): Promise<{ verified: VerifiedEpisode; result?: EpisodeResult }> {
  const bare = { folder, verdicts: 0, rewards: 0, notes: [] };
  const file = path.join(root, folder, 'events.jsonl');
  if (!existsSync(file) || (isCutOff && statSync(file).size === 0)) {
    const why =
      notBegun?.reason ??
      (isCutOff ? 'the run was cut off before' : attempts === 0 ? 'the run was stopped before' : undefined);
    if (why !== undefined) return { verified: { ...bare, differences: [], notes: [`It was never begun: ${why}`] } };
    return { verified: { ...bare, differences: [{ what: 'journal', recorded: 'in run.json', again: 'not there' }] } };
  }
  try {
    const events = await readEvents(file);
    const verified = { folder, ...verifyEvents(events) };
    const steps = oracleSteps === undefined ? {} : { oracleSteps };
    return { verified, result: resultOf(root, { folder, events, ...steps }) };
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'journal_corrupt') throw error;
    return { verified: { ...bare, differences: [{ what: 'journal', recorded: 'damaged', again: error.message }] } };
  }
}

/** Pure: the same events, the same answer. */
function verifyEvents(events: readonly JournalEvent[]): Omit<VerifiedEpisode, 'folder'> {
  const [start] = events;
  if (start?.type !== 'start' || start.kind === 'question')
    throw new WaymarkError({ code: 'journal_corrupt', message: 'The journal is empty.' });
  const { verdicts, rewards, differences } = rescoreEvents(events);
  const { scorer, constants } = start.hashes;
  const isOldRules = scorer !== REWARD_PROVENANCE.scorer || constants !== REWARD_PROVENANCE.constants;
  // Other rules give other scores: only the same rules can show that a score was changed. Whether there is one depends on no rule.
  const isOfRules = ({ what, recorded, again }: Discrepancy): boolean =>
    isOldRules && what === 'reward' && recorded !== undefined && again !== undefined;
  const byRules = differences.filter(isOfRules).length;
  return {
    taskId: start.taskId,
    trial: start.trial,
    verdicts,
    rewards,
    differences: [
      ...hashDifferences(start),
      ...differences.filter((difference) => !isOfRules(difference)),
      ...statusDifference(events),
    ],
    notes: isOldRules
      ? [
          `It was scored by other rules (${scorer}, ${constants}); today's are ${REWARD_PROVENANCE.scorer}, ${REWARD_PROVENANCE.constants}, and give ${byRules} of ${rewards} scores another value.`,
        ]
      : [],
  };
}

/** The task in the journal must be the one that its hashes name: an easier contract would make every verdict right. */
function hashDifferences({ seq, task, hashes }: TaskStart): Discrepancy[] {
  const spec = task as EpisodeTaskSpec;
  const parsed = parseContract(spec.success);
  const again = { task: taskHash(spec), contract: parsed.ok ? contractHash(parsed.contract) : 'not a contract' };
  return [
    ...(again.task === hashes.task
      ? []
      : [{ seq, what: 'task_hash' as const, recorded: hashes.task, again: again.task }]),
    ...(again.contract === hashes.contract
      ? []
      : [{ seq, what: 'contract_hash' as const, recorded: hashes.contract, again: again.contract }]),
  ];
}

/** A status that the verdicts do not allow. */
function statusDifference(events: readonly JournalEvent[]): Discrepancy[] {
  const stop = events.findLast((event): event is EventOf<'stop'> => event.type === 'stop');
  if (!stop) return [];
  const verdicts = events.filter((event): event is EventOf<'contract_eval'> => event.type === 'contract_eval');
  // The final look visits every lane, and the contract must hold on one of them.
  const finals = verdicts.filter(({ phase }) => phase === 'final').map(({ verdict }) => verdict);
  const last = finals.includes('pass') ? 'pass' : (verdicts.at(-1)?.verdict ?? 'none');
  // The page may move on between the step that passed and the last look: either may carry the pass.
  const step = verdicts.findLast(({ phase }) => phase === 'step')?.verdict ?? 'none';
  const passes = last === 'pass' || step === 'pass';
  const isEnd = stop.status === 'failed' || stop.status === 'max_steps';
  // What was stopped at a guarded action did not pass, whatever the page shows.
  const wrong = stop.status === 'passed' ? !passes : isEnd && stop.cause === undefined && last === 'pass';
  const again = `the last verdicts are ${step} (step) and ${last}`;
  return wrong ? [{ seq: stop.seq, what: 'status', recorded: stop.status, again }] : [];
}

function reportDifference(root: string, again: Iterable<string | Buffer>): Discrepancy[] {
  const file = path.join(root, 'report.json');
  if (!existsSync(file)) return [{ what: 'report', recorded: 'not there', again: 'waymark report makes it' }];
  const recorded = readFileSync(file);
  // The head of a report is short: the summary of today names what was planned.
  const earlier = recorded.subarray(0, 4096).includes('"planned"') ? undefined : reportIn(recorded.toString());
  if (!earlier) return textDifference(recorded, again);
  const today = reportIn([...again].join(''));
  if (!today) return [];
  const isWhole = today.summary.unfinished === undefined;
  return textDifference(Buffer.from(asBefore(earlier, isWhole)), [asBefore(today, isWhole)]);
}

/** Undefined where it is no JSON. */
function reportIn(text: string): RunReport | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What the reports of earlier versions have in common with today's: they counted only what had been begun, which differs where something has
 * not finished, and those of version 0.1.0 had the warnings of each episode.
 */
function asBefore({ summary, episodes, ...head }: RunReport, isWhole: boolean): string {
  const { planned, finished, interrupted, notBegun, pending, unfinished, ...rest } = summary;
  const { episodes: count, strict, outcomes, ...common } = rest;
  const kept = episodes.map((episode) => ({ ...episode, warnings: undefined, interrupted: undefined }));
  return `${JSON.stringify({ ...head, summary: isWhole ? rest : common, episodes: kept }, null, 2)}\n`;
}

/** Compares piece by piece: a report may be long. */
function textDifference(recorded: Buffer, again: Iterable<string | Buffer>): Discrepancy[] {
  let at = 0;
  let line = 1;
  for (const given of again) {
    const piece = Buffer.from(given);
    const was = recorded.subarray(at, at + piece.length);
    if (!was.equals(piece)) {
      const same = piece.findIndex((byte, index) => byte !== was[index]);
      const before = linesIn(piece.subarray(0, same));
      return [
        {
          what: 'report',
          recorded: `line ${line + before}: ${lineAround(recorded, at + same)}`,
          again: lineAround(piece, same),
        },
      ];
    }
    at += piece.length;
    line += linesIn(piece);
  }
  if (at === recorded.length) return [];
  return [{ what: 'report', recorded: `line ${line}: ${lineAround(recorded, at)}`, again: 'none' }];
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines++;
  return lines;
}

function lineAround(bytes: Buffer, at: number): string {
  const from = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  const to = bytes.indexOf(NEWLINE, at);
  return bytes.toString('utf8', from, to < 0 ? bytes.length : to).trim() || 'none';
}
