/** The result of any attempt: of one with a journal by folding it, of one that could not be begun from the two files that it left. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MESSAGES_FILE, METADATA_FILE } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { type AgentResult, agentResult, metadataSchema } from '../events/index.ts';
import { readMessages } from '../journal/index.ts';
import { GRADES_FILE } from './folder/attempt-folders.ts';
import { readGrades } from './folder/grades-file.ts';
import { eventsIn } from './recorded-attempts.ts';

/**
 * @param folder of the attempt: `<run>/episodes/<case>/trial-<n>`.
 * @example
 * const { metadata, messages, finalAnswer } = await readAgentResult('.waymark/runs/today/episodes/send-the-form/trial-1');
 */
export async function readAgentResult(folder: string): Promise<AgentResult> {
  const folded = agentResult(await eventsIn(folder), readGrades(path.join(folder, GRADES_FILE)));
  if (folded) return folded;
  const file = path.join(folder, METADATA_FILE);
  if (!existsSync(file)) {
    throw new WaymarkError({
      code: 'attempt_not_found',
      message: `There is no attempt in ${folder}: it has neither a journal nor a ${METADATA_FILE}.`,
      hint: 'Name the folder of one attempt: <run>/episodes/<case>/trial-<n>.',
    });
  }
  const metadata = metadataSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { metadata, messages: await readMessages(path.join(folder, MESSAGES_FILE)), finalAnswer: null };
}
