/** What is known of one cell of a run folder that may be written at this moment. Its journal is read again when it has grown. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { EpisodeResult, EventOf, JournalEvent } from '../../events/index.ts';
import { readLastEvent } from '../../journal/index.ts';
import {
  type AttemptRow,
  attemptRow,
  type FeedEntry,
  feedOf,
  type LiveAttempt,
  notBegunEntry,
  openRow,
} from '../../view/index.ts';
import { attemptPath, GRADES_FILE, JOURNAL_FILE, NOT_BEGUN_FILE, notBegunIn } from '../folder/attempt-folders.ts';
import { type RecordedCell, recordedCells } from '../folder/recorded-cells.ts';
import type { RunFile } from '../folder/run-file.ts';
import { resultOf, wholeEventsIn } from '../recorded-attempts.ts';

export interface LiveCell {
  cell: RecordedCell;
  row: AttemptRow;
  /** Without what only an attempt's own page shows. */
  result?: EpisodeResult;
  /** It has a result that only another attempt or a grade would change. */
  isFinal: boolean;
  /** Sizes and times of the files that it was read from. */
  stamp: string;
}

/** With the lines of the feed, where they may be others than before. */
export type ReadCell = LiveCell & { feed?: readonly FeedEntry[] };

/** `before` is returned as it is where nothing has changed. Otherwise there are also the lines of the feed, which the caller merges. */
export async function readCell(
  root: string,
  run: RunFile,
  place: { index: number; id: string; isRunning: boolean },
  before: LiveCell | undefined,
): Promise<ReadCell> {
  const { index, id, isRunning } = place;
  const planned = run.plan.cells[index];
  const [recorded] = planned ? recordedCells(root, { ...run, plan: { ...run.plan, cells: [planned] } }) : [];
  if (!recorded) throw new Error(`The run has no cell ${index}.`);
  const cell = isRunning ? underWay(root, recorded) : recorded;
  const stamp = `${isRunning} ${stampOf(root, cell)}`;
  if (before?.stamp === stamp) return before;
  const events = cell.attempts === 0 ? [] : await wholeEventsIn(path.join(root, cell.folder));
  const feed = await feedOfCell(root, id, cell, events);
  if (events.length === 0) {
    const status = cell.notBegun ? 'not begun' : isRunning && cell.attempts > 0 ? 'running' : 'pending';
    return { cell, row: openRow(id, cell, status), isFinal: false, stamp, feed };
  }
  const { plan } = run;
  return { cell, ...readRow(id, events, resultOf(root, { ...cell, events }), { isRunning, plan }), stamp, feed };
}

/** What an attempt has come to. `isRunning`: it may still be written. */
export function readRow(
  id: string,
  events: readonly JournalEvent[],
  result: EpisodeResult,
  { isRunning, plan }: { isRunning: boolean; plan: RunFile['plan'] },
): Pick<LiveCell, 'row' | 'result' | 'isFinal'> {
  const row = attemptRow(id, result, events);
  const isEnded = events.at(-1)?.type === 'stop';
  if (!isEnded && isRunning) {
    // A journal without an end is that of a crash; this one is still written.
    const { outcome: _outcome, wandering: _wandering, ...begun } = row;
    const live = liveOf(events, plan.inputs.of);
    return { row: { ...begun, status: 'running', tone: 'open', live }, isFinal: false };
  }
  return { row, result: slim(result), isFinal: isEnded && result.interrupted !== true };
}

/** While the run goes on, a cell that is tried once more is shown by its last attempt, and not by the one that counts until that has ended. */
function underWay(root: string, cell: RecordedCell): RecordedCell {
  const { attempts, attempt } = cell;
  if (attempts <= attempt) return cell;
  const folder = attemptPath({ ...cell, attempt: attempts });
  const hasEnded = readLastEvent(path.join(root, folder, JOURNAL_FILE))?.type === 'stop';
  if (hasEnded || notBegunIn(path.join(root, folder))) return cell;
  const { notBegun: _, ...rest } = cell;
  return { ...rest, folder, attempt: attempts };
}

/** Of all its attempts: who comes late is told of the earlier ones too. */
async function feedOfCell(
  root: string,
  id: string,
  { caseId, trial, attempts, attempt: shown }: RecordedCell,
  events: readonly JournalEvent[],
): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const folder = path.join(root, attemptPath({ caseId, trial, attempt }));
    const of = { id, caseId, trial, attempt };
    const why = notBegunIn(folder);
    if (why) entries.push(notBegunEntry(of, statSync(path.join(folder, NOT_BEGUN_FILE)).mtimeMs, why));
    else entries.push(...feedOf(of, attempt === shown ? events : await wholeEventsIn(folder)));
  }
  return entries;
}

function stampOf(root: string, { folder, attempt, attempts }: RecordedCell): string {
  const part = (name: string): string => {
    const found = statSync(path.join(root, folder, name), { throwIfNoEntry: false });
    return found ? `${found.size} ${found.mtimeMs}` : '-';
  };
  return `${attempt} ${attempts} ${part(JOURNAL_FILE)} ${part(GRADES_FILE)}`;
}

function liveOf(events: readonly JournalEvent[], inputs: RunFile['plan']['inputs']['of']): LiveAttempt {
  const [start] = events;
  const task: { maxSteps?: unknown; maxDurationMs?: unknown } = start?.type === 'start' ? Object(start.task) : {};
  const last = <T extends JournalEvent['type']>(type: T) =>
    events.findLast((event): event is EventOf<T> => event.type === type);
  const call = last('tool_call');
  const picture = events.findLast((event) => event.type === 'screenshot' && event.file !== undefined);
  const frame = picture?.type === 'screenshot' ? picture.file : undefined;
  const calls = events.filter((event): event is EventOf<'tool_call'> => event.type === 'tool_call' && event.step > 0);
  const lanes = [...new Map(calls.map(({ executorId = 'main', tool }) => [executorId, tool]))].map(([id, tool]) => ({
    id,
    tool,
  }));
  const { 'max-tokens': maxTokens, 'max-cost': maxCost } = inputs ?? {};
  return {
    startedAt: start?.time ?? 0,
    ...(call ? { tool: call.tool } : {}),
    ...(frame === undefined ? {} : { frame }),
    url: last('evidence')?.url ?? '',
    ...(lanes.length > 1 ? { lanes } : {}),
    ...(typeof task.maxSteps === 'number' ? { maxSteps: task.maxSteps } : {}),
    ...(typeof task.maxDurationMs === 'number' ? { maxDurationMs: task.maxDurationMs } : {}),
    ...(typeof maxTokens === 'number' ? { maxTokens } : {}),
    ...(typeof maxCost === 'number' ? { maxCost } : {}),
  };
}

/** A run of ten thousand is held in memory. */
function slim({ failedContract: _, delegations: __, roles: ___, ...result }: EpisodeResult): EpisodeResult {
  return { ...result, warnings: [], wandering: { ...result.wandering, loops: [] } };
}
