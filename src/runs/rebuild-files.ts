/** `metadata.json` and `ledger.jsonl` of an episode, made again from its journal: after a kill -9, or by the rules of a newer Waymark. */
import path from 'node:path';
import { LEDGER_FILE, METADATA_FILE } from '../episode/index.ts';
import type { JournalEvent } from '../events/index.ts';
import { ledgerLines, MetadataFold } from '../events/index.ts';
import { putJson, putText } from '../journal/index.ts';

export function rebuildEpisodeFiles(folder: string, events: readonly JournalEvent[]): void {
  const fold = new MetadataFold();
  for (const event of events) fold.add(event);
  const metadata = fold.metadata();
  if (metadata) putJson(path.join(folder, METADATA_FILE), metadata);
  const lines = ledgerLines(events);
  if (lines !== '') putText(path.join(folder, LEDGER_FILE), lines);
}
