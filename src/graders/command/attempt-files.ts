/**
 * The files of an attempt in a folder of their own, for a program that reads files. They are copies: the run itself is append-only, whatever
 * the program does, and it may be in a database.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type JournalEvent, messageLines, messagesOf } from '../../events/index.ts';
import type { AttemptReader } from '../grader.ts';

/** Gives the keys of what was written, relative to the folder. */
export async function writeAttemptFiles(folder: string, attempt: AttemptReader): Promise<string[]> {
  const { events } = attempt;
  const written = ['events.jsonl', 'messages.jsonl'];
  await writeFile(path.join(folder, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await writeFile(path.join(folder, 'messages.jsonl'), messageLines(messagesOf(events)));
  for (const key of pictureKeys(events)) {
    const content = await attempt.artifact(key);
    if (!content) continue;
    const file = path.join(folder, key);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    written.push(key);
  }
  return written;
}

/** Each once: a picture that shows the same again has the same file. A key that leaves the folder is none that the harness has written. */
function pictureKeys(events: readonly JournalEvent[]): string[] {
  const keys = events.flatMap((event) => (event.type === 'screenshot' && event.file !== undefined ? [event.file] : []));
  return [...new Set(keys)].filter((key) => !path.isAbsolute(key) && !key.split(/[\\/]/).includes('..'));
}
