/** A run of questions: the checkers grade the recorded answers again, and its files are held to their hashes. */
import type { KeyObject } from 'node:crypto';
import { readRunFile } from '../folder/run-file.ts';
import { type RegradedQuestions, regradeQuestions } from '../regrade-questions.ts';
import { type Integrity, verifyIntegrity } from './verify-integrity.ts';

export interface VerifiedQuestionRun extends RegradedQuestions {
  ok: boolean;
  integrity: Integrity;
}

export async function verifyQuestionRun(
  root: string,
  { publicKey }: { publicKey?: KeyObject | undefined } = {},
): Promise<VerifiedQuestionRun> {
  const regraded = await regradeQuestions(root);
  const integrity = await verifyIntegrity(root, readRunFile(root), publicKey);
  const ok = regraded.changed.length === 0 && integrity.differences.length === 0;
  return { ok, ...regraded, integrity };
}
