/** The files of an attempt that are folds of its journal and its grades, made again: after a kill -9, or by the rules of a newer Waymark. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, MESSAGES_FILE, METADATA_FILE } from '../episode/index.ts';
import type { JournalEvent } from '../events/index.ts';
import { agentResult, ledgerLines, messageLines } from '../events/index.ts';
import { putJson, putPieces, putText } from '../journal/index.ts';
import { GRADES_FILE } from './folder/attempt-folders.ts';
import { readGrades } from './folder/grades-file.ts';

/** `into`: where they go, if not beside the journal. */
export function rebuildEpisodeFiles(folder: string, events: readonly JournalEvent[], into: string = folder): void {
  mkdirSync(into, { recursive: true });
  const result = agentResult(events, readGrades(path.join(folder, GRADES_FILE)));
  if (result) {
    putJson(path.join(into, METADATA_FILE), result.metadata);
    const lines = result.messages.map((message) => messageLines([message]));
    putPieces(path.join(into, MESSAGES_FILE), lines);
  }
  const ledger = ledgerLines(events);
  if (ledger !== '') putText(path.join(into, LEDGER_FILE), ledger);
}
