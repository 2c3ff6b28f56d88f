/**
 * One grader on one attempt. It ends in a grade always: a grader that crashes, hangs or returns something else gives `error` with the
 * reason, and the others go on.
 */
import * as z from 'zod';
import { storableJson, storableText } from '../cases/index.ts';
import { messageOf, sentenceOf } from '../errors/index.ts';
import { GRADE_VERDICTS, type Grade } from '../events/index.ts';
import type { AttemptReader, Grader, GraderContext } from './grader.ts';

/** A grade without its place: the round and the time are the store's. */
export type NewAssessment = Omit<Grade, 'round' | 'at' | 'artifacts'>;

const TIMEOUT_MS = 60_000;
const MAX_REASONING = 10_000;
const MAX_DETAILS = 200_000;

const assessmentSchema = z.object({
  verdict: z.enum(GRADE_VERDICTS),
  score: z.number().min(0).max(1).nullish(),
  reasoning: z.string(),
  details: z.record(z.string(), z.json()).optional(),
});

/** @throws the signal's reason when the work is stopped: then there is no grade. */
export async function gradeAttempt(
  grader: Grader,
  attempt: AttemptReader,
  context: GraderContext,
): Promise<NewAssessment> {
  const { name, version } = grader;
  const about = { grader: name, version };
  if (grader.needsModel && !context.judge)
    return { ...about, ...without('skipped', 'It needs a model, and none was chosen: --judge-model names one.') };
  const timeoutMs = grader.timeoutMs ?? TIMEOUT_MS;
  const time = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([context.signal, time]);
  try {
    return { ...about, ...read(await Promise.race([grader.grade(attempt, { ...context, signal }), abortOf(signal)])) };
  } catch (thrown) {
    context.signal.throwIfAborted();
    const reason = time.aborted
      ? `The grader gave no verdict within ${timeoutMs} ms.`
      : `The grader failed: ${messageOf(thrown)}`;
    return { ...about, ...without('error', reason) };
  }
}

function read(said: unknown): Omit<NewAssessment, 'grader' | 'version'> {
  const parsed = assessmentSchema.safeParse(said);
  if (!parsed.success)
    return without('error', `The grader returned something other than a verdict: ${sentenceOf(parsed.error)}`);
  const { verdict, reasoning, details = {} } = parsed.data;
  if (JSON.stringify(details).length > MAX_DETAILS)
    return without('error', `The details of the grader are longer than ${MAX_DETAILS} characters.`);
  const isSettled = verdict === 'pass' || verdict === 'fail';
  const score = isSettled ? (parsed.data.score ?? (verdict === 'pass' ? 1 : 0)) : null;
  return {
    verdict,
    score,
    reasoning: storableText(reasoning.slice(0, MAX_REASONING)),
    details: Object(storableJson(details)),
  };
}

function without(verdict: 'error' | 'skipped', reason: string) {
  return { verdict, score: null, reasoning: storableText(reason.slice(0, MAX_REASONING)), details: {} };
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
