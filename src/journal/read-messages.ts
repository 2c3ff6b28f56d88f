/** Reads `messages.jsonl`. */
import { findingsOf, WaymarkError } from '../errors/index.ts';
import { JOURNAL_LIMITS, type TraceMessage, traceMessageSchema } from '../events/index.ts';
import { errnoOf, reasonOf } from './journal-error.ts';
import { readLines } from './read-lines.ts';

/**
 * The messages of an attempt. A last line without a newline was being written when the process was killed, and is skipped.
 *
 * @example
 * const calls = (await readMessages('messages.jsonl')).filter(isToolCall);
 */
export async function readMessages(file: string): Promise<TraceMessage[]> {
  const messages: TraceMessage[] = [];
  try {
    for await (const lines of readLines(file, JOURNAL_LIMITS.lineBytes)) {
      for (const { bytes, number, whole } of lines) {
        if (!whole && bytes.length > JOURNAL_LIMITS.lineBytes) throw unreadable(file, `line ${number} is too long`);
        if (whole) messages.push(messageIn(file, bytes.toString(), number));
      }
    }
  } catch (error) {
    if (errnoOf(error) === undefined || error instanceof WaymarkError) throw error;
    throw unreadable(file, errnoOf(error) === 'ENOENT' ? 'there is no such file' : reasonOf(error));
  }
  return messages;
}

function messageIn(file: string, line: string, number: number): TraceMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw unreadable(file, `line ${number} is not JSON`);
  }
  const { data, error } = traceMessageSchema.safeParse(value);
  if (!data) throw unreadable(file, `line ${number} is no message: ${findingsOf(error).join('; ')}`);
  return data;
}

function unreadable(file: string, why: string): WaymarkError {
  return new WaymarkError({
    code: 'messages_unreadable',
    message: `The messages in ${file} could not be read: ${why}.`,
    hint: 'Make the file again from the journal beside it: waymark report <folder of the run>.',
  });
}
