/** Anything that was thrown, with its stack and its causes, for a log. */
import { causesOf, databaseMessage } from './database-message.ts';

export function traceOf(thrown: unknown): string {
  const parts: string[] = [];
  for (const cause of causesOf(thrown)) {
    const message = databaseMessage(cause);
    parts.push(message === undefined ? stackOf(cause) : `${message}${framesOf(cause)}`);
    // What caused an error of the database is a text of its driver, which may hold values.
    if (message !== undefined) break;
  }
  return parts.join('\ncaused by: ');
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** The stack without the text at its head. */
function framesOf(thrown: unknown): string {
  if (!(thrown instanceof Error) || thrown.stack === undefined) return '';
  const at = thrown.stack.indexOf(thrown.message);
  const frames = at < 0 ? '' : thrown.stack.slice(at + thrown.message.length);
  return frames.startsWith('\n    at ') ? frames : '';
}
