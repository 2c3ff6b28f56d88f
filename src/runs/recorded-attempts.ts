/** The attempts of a run that count, each with its events: every journal is read once, and one is held at a time. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, MESSAGES_FILE, METADATA_FILE } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { type EpisodeResult, episodeResult, type JournalEvent } from '../events/index.ts';
import type { TokenCounter } from '../metrics/index.ts';
import { GRADES_FILE } from './folder/attempt-folders.ts';
import { readGrades } from './folder/grades-file.ts';
import type { RecordedCell } from './folder/recorded-cells.ts';
import { readEvents } from './report.ts';

export interface RecordedAttempt extends RecordedCell {
  events: JournalEvent[];
}

export interface AttemptListeners {
  /** Every line of a journal that is whole. */
  onLine?: ((bytes: Buffer) => void) | undefined;
  /** A journal that can't be read, as a sentence, and the folder that it is in. */
  onDamaged?: ((why: string, folder: string) => void) | undefined;
}

/** In the order of the plan. Those whose journal was never begun are left out. */
export async function* recordedAttempts(
  root: string,
  cells: readonly RecordedCell[],
  { onLine, onDamaged }: AttemptListeners = {},
): AsyncGenerator<RecordedAttempt, void, undefined> {
  for (const cell of cells) {
    const events = await wholeEventsIn(path.join(root, cell.folder), { onLine, onDamaged });
    // Empty: a kill came right after the file was made.
    if (events.length > 0) yield { ...cell, events };
  }
}

/** None of a damaged journal: it counts as an attempt that was cut off, and must not end the run that it is in. */
export async function wholeEventsIn(
  folder: string,
  { onLine, onDamaged }: AttemptListeners = {},
): Promise<JournalEvent[]> {
  const lines: Buffer[] = [];
  try {
    // A copy: the bytes of a line are valid until the next one is read.
    const events = await eventsIn(folder, onLine && ((bytes) => lines.push(Buffer.from(bytes))));
    for (const line of lines) onLine?.(line);
    return events;
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'journal_corrupt') throw error;
    onDamaged?.(error.message.replaceAll(`${folder}${path.sep}`, ''), folder);
    return [];
  }
}

/** None where there is no journal. */
export async function eventsIn(folder: string, onLine?: (bytes: Buffer) => void): Promise<JournalEvent[]> {
  const file = path.join(folder, 'events.jsonl');
  return existsSync(file) ? readEvents(file, onLine) : [];
}

/** The result of a recorded attempt; `events` may be given in place of those that were read. */
export function resultOf(
  root: string,
  { folder, oracleSteps, events }: Pick<RecordedAttempt, 'folder' | 'oracleSteps' | 'events'>,
  tokens?: TokenCounter,
): EpisodeResult {
  const files = new Set(readdirSync(path.join(root, folder)));
  const named = (name: string): string | undefined => (files.has(name) ? path.join(folder, name) : undefined);
  const messagesJsonl = named(MESSAGES_FILE);
  const [ledgerJsonl, metadataJson, screenshots] = [named(LEDGER_FILE), named(METADATA_FILE), named('screenshots')];
  const artifacts = {
    eventsJsonl: path.join(folder, 'events.jsonl'),
    reportJson: 'report.json',
    ...(messagesJsonl === undefined ? {} : { messagesJsonl }),
    ...(ledgerJsonl === undefined ? {} : { ledgerJsonl }),
    ...(metadataJson === undefined ? {} : { metadataJson }),
    ...(screenshots !== undefined && readdirSync(path.join(root, screenshots)).length > 0
      ? { screenshotDir: screenshots }
      : {}),
  };
  const grades = files.has(GRADES_FILE) ? readGrades(path.join(root, folder, GRADES_FILE)) : [];
  return episodeResult(events, { artifacts, tokens, oracleSteps, grades });
}
