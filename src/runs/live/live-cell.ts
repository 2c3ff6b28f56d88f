/** What is known of one cell of a run folder that may be written at this moment. Its journal is read again when it has grown. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { EpisodeResult, EventOf, JournalEvent } from '../../events/index.ts';
import { type AttemptRow, attemptRow, type LiveAttempt, openRow } from '../../view/index.ts';
import { GRADES_FILE, JOURNAL_FILE } from '../folder/attempt-folders.ts';
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

/** `before` is returned as it is where nothing has changed. */
export async function readCell(
  root: string,
  run: RunFile,
  place: { index: number; id: string; isRunning: boolean },
  before: LiveCell | undefined,
): Promise<LiveCell> {
  const { index, id, isRunning } = place;
  const planned = run.plan.cells[index];
  const [cell] = planned ? recordedCells(root, { ...run, plan: { ...run.plan, cells: [planned] } }) : [];
  if (!cell) throw new Error(`The run has no cell ${index}.`);
  const stamp = `${isRunning} ${stampOf(root, cell)}`;
  if (before?.stamp === stamp) return before;
  const events = cell.attempts === 0 ? [] : await wholeEventsIn(path.join(root, cell.folder));
  if (events.length === 0) {
    const status = cell.notBegun ? 'not begun' : isRunning && cell.attempts > 0 ? 'running' : 'pending';
    return { cell, row: openRow(id, cell, status), isFinal: false, stamp };
  }
  return { cell, ...readRow(id, events, resultOf(root, { ...cell, events }), isRunning), stamp };
}

/** What an attempt has come to. `isRunning`: it may still be written. */
export function readRow(
  id: string,
  events: readonly JournalEvent[],
  result: EpisodeResult,
  isRunning: boolean,
): Pick<LiveCell, 'row' | 'result' | 'isFinal'> {
  const row = attemptRow(id, result, events);
  const isEnded = events.at(-1)?.type === 'stop';
  if (!isEnded && isRunning) {
    // A journal without an end is that of a crash; this one is still written.
    const { outcome: _outcome, wandering: _wandering, ...begun } = row;
    return { row: { ...begun, status: 'running', tone: 'open', live: liveOf(events) }, isFinal: false };
  }
  return { row, result: slim(result), isFinal: isEnded && result.interrupted !== true };
}

function stampOf(root: string, { folder, attempt }: RecordedCell): string {
  const part = (name: string): string => {
    const found = statSync(path.join(root, folder, name), { throwIfNoEntry: false });
    return found ? `${found.size} ${found.mtimeMs}` : '-';
  };
  return `${attempt} ${part(JOURNAL_FILE)} ${part(GRADES_FILE)}`;
}

function liveOf(events: readonly JournalEvent[]): LiveAttempt {
  const [start] = events;
  const task: { maxSteps?: unknown; maxDurationMs?: unknown } = start?.type === 'start' ? Object(start.task) : {};
  const last = <T extends JournalEvent['type']>(type: T) =>
    events.findLast((event): event is EventOf<T> => event.type === type);
  const call = last('tool_call');
  const picture = events.findLast((event) => event.type === 'screenshot' && event.file !== undefined);
  const frame = picture?.type === 'screenshot' ? picture.file : undefined;
  return {
    startedAt: start?.time ?? 0,
    ...(call ? { tool: call.tool } : {}),
    ...(frame === undefined ? {} : { frame }),
    url: last('evidence')?.url ?? '',
    ...(typeof task.maxSteps === 'number' ? { maxSteps: task.maxSteps } : {}),
    ...(typeof task.maxDurationMs === 'number' ? { maxDurationMs: task.maxDurationMs } : {}),
  };
}

/** A run of ten thousand is held in memory. */
function slim({ failedContract: _, delegations: __, roles: ___, ...result }: EpisodeResult): EpisodeResult {
  return { ...result, warnings: [], wandering: { ...result.wandering, loops: [] } };
}
