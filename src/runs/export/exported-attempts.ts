/** What every export reads: the attempts that count, each with its events and its result. One is in memory at a time. */
import { WaymarkError } from '../../errors/index.ts';
import type { EpisodeResult, TaskStart } from '../../events/index.ts';
import { recordedCells } from '../folder/recorded-cells.ts';
import { isQuestionRun, readRunFile } from '../folder/run-file.ts';
import { type RecordedAttempt, recordedAttempts, resultOf } from '../recorded-attempts.ts';

export interface ExportedAttempt extends RecordedAttempt {
  start: TaskStart;
  result: EpisodeResult;
}

export interface Exported {
  format: string;
  /** Attempts that were written. */
  attempts: number;
  /** The file or folder, or the address that it was sent to. */
  to: string;
  spans?: number;
}

export async function* exportedAttempts(root: string): AsyncGenerator<ExportedAttempt, void, undefined> {
  const cells = recordedCells(root, readRunFile(root));
  for await (const attempt of recordedAttempts(root, cells)) {
    const [start] = attempt.events;
    if (start?.type !== 'start' || start.kind === 'question') continue;
    yield { ...attempt, start, result: resultOf(root, attempt) };
  }
}

/** Trajectories are of tasks. */
export function refuseQuestions(root: string, format: string): void {
  if (!isQuestionRun(root)) return;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `${root} is a run of questions, which has no trajectories: it can't be exported as ${format}.`,
    hint: 'Export it with --format csv or --format markdown.',
  });
}
