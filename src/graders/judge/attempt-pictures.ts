/** The screenshots of an attempt, as a judge is shown them. */
import type { JournalEvent } from '../../events/index.ts';
import type { AttemptReader } from '../grader.ts';
import { type JudgePicture, JudgeProblem } from './judge.ts';

/** The keys in the order in which they were taken. The same picture several times in a row stands there once. */
export function pictureKeys(events: readonly JournalEvent[]): string[] {
  const keys = events.flatMap((event) => (event.type === 'screenshot' && event.ok ? [event.file ?? ''] : []));
  return keys.filter((key, index) => key !== keys[index - 1]);
}

const MEDIA_TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png' };

/** @throws JudgeProblem where it is not there any more, or is of another kind: without it there would be a verdict on something else. */
export async function loadPicture(attempt: AttemptReader, key: string): Promise<JudgePicture> {
  const mediaType = MEDIA_TYPES[key.slice(key.lastIndexOf('.') + 1)];
  if (mediaType === undefined) throw new JudgeProblem(`The picture ${key} is neither JPEG nor PNG.`);
  const data = await attempt.artifact(key);
  if (!data) throw new JudgeProblem(`The picture ${key} of the attempt is not there any more.`);
  return { key, data, mediaType };
}
