/** The files beside a journal that it names with a hash: pictures, and states of the application. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { JournalEvent } from '../../events/index.ts';
import { readArtifact } from '../folder/attempt-artifacts.ts';
import type { Discrepancy } from './discrepancy.ts';

export function fileDifferences(root: string, folder: string, events: readonly JournalEvent[]): Discrepancy[] {
  const known = new Set<string>();
  const found = events.flatMap((event): Discrepancy[] => {
    if (event.type !== 'screenshot' && event.type !== 'app_state') return [];
    const { seq, file, hash } = event;
    if (file === undefined || hash === undefined || known.has(`${file} ${hash}`)) return [];
    known.add(`${file} ${hash}`);
    const again = hashIn(path.join(root, folder), file);
    const what = event.type === 'screenshot' ? 'picture' : 'app_state';
    return again === hash ? [] : [{ seq, file: path.join(folder, file), what, recorded: hash, again }];
  });
  // A kill may come between a picture and its event.
  return events.at(-1)?.type === 'stop' ? [...found, ...strangers(root, folder, events)] : found;
}

function hashIn(folder: string, file: string): string {
  try {
    const bytes = readArtifact(folder, file);
    return bytes === undefined ? 'not there' : createHash('sha256').update(bytes).digest('hex');
  } catch {
    return 'no name of a file of this attempt';
  }
}

/** Pictures that no event names. */
function strangers(root: string, folder: string, events: readonly JournalEvent[]): Discrepancy[] {
  const shots = path.join(root, folder, 'screenshots');
  if (!existsSync(shots)) return [];
  const named = new Set(events.flatMap((event) => (event.type === 'screenshot' ? [event.file] : [])));
  return readdirSync(shots)
    .map((name) => `screenshots/${name}`)
    .filter((file) => !named.has(file))
    .map((file) => ({
      what: 'picture' as const,
      file: path.join(folder, file),
      recorded: 'there',
      again: 'the journal has none of this name',
    }));
}
