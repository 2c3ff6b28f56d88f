/** The files of an episode that are folds of its journal, made again: after a kill -9, or by the rules of a newer Waymark. */
import path from 'node:path';
import { LEDGER_FILE, MESSAGES_FILE, METADATA_FILE } from '../episode/index.ts';
import type { JournalEvent } from '../events/index.ts';
import { ledgerLines, MetadataFold, messageLines, messagesOf } from '../events/index.ts';
import { putJson, putPieces, putText } from '../journal/index.ts';

export function rebuildEpisodeFiles(folder: string, events: readonly JournalEvent[]): void {
  const fold = new MetadataFold();
  for (const event of events) fold.add(event);
  const metadata = fold.metadata();
  if (metadata) putJson(path.join(folder, METADATA_FILE), metadata);
  putPieces(
    path.join(folder, MESSAGES_FILE),
    messagesOf(events).map((message) => messageLines([message])),
  );
  const lines = ledgerLines(events);
  if (lines !== '') putText(path.join(folder, LEDGER_FILE), lines);
}
