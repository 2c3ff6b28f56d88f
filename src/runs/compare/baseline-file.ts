/** A baseline: a run in short, in one small JSON file that CI can keep. It needs no journals. docs/reference/baseline.md describes it. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { findingsOf, messageOf, WaymarkError } from '../../errors/index.ts';
import { putJson } from '../../journal/index.ts';
import { AGENT_OUTCOMES, FAULT_OUTCOMES, type RunSample } from '../../metrics/index.ts';

const BASELINE_FORMAT = 'waymark.baseline.v1';
/** Larger than 300,000 trials need. A file of another kind is not read into memory. */
const MOST_BYTES = 64 * 1024 * 1024;

const text = z.string().max(2_000);
const amount = z.number().min(0).nullable();

export const baselineSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(BASELINE_FORMAT),
  runId: text.min(1),
  name: text.describe('What was under test, for people'),
  kind: z.enum(['tasks', 'questions']),
  startedAt: z.iso.datetime(),
  suite: z.strictObject({ name: text, hash: text }),
  settings: z.record(text, text).describe('Everything but the cases that has a say in the results'),
  versions: z.record(text, text).describe('Versions of Waymark, Node, browser, server and models'),
  notes: z.array(text).describe('Why no number of this run is a headline'),
  cases: z.array(
    z.strictObject({
      id: text.min(1),
      tags: z.array(text),
      contract: text.nullable().describe('The hash of what decides'),
      failedCheck: z.array(text).optional().describe('The rules by which the task failed waymark check'),
    }),
  ),
  trials: z.array(
    z.strictObject({
      caseId: text.min(1),
      trial: z.int().min(1),
      outcome: z
        .enum([...AGENT_OUTCOMES, ...FAULT_OUTCOMES])
        .nullable()
        .describe('The outcome class; null where it has not finished'),
      attempt: z.int().min(0).describe('The attempt that counts; 0 where there is none'),
      steps: amount,
      durationMs: amount,
      tokens: amount,
      costUsd: amount,
    }),
  ),
});

export function writeBaseline(file: string, sample: RunSample): void {
  putJson(file, { format: BASELINE_FORMAT, ...sample });
}

/** @throws WaymarkError usage_bad_baseline, with what is wrong and where. */
export function readBaseline(file: string): RunSample {
  const parsed = baselineSchema.safeParse(jsonAt(file));
  if (!parsed.success) throw bad(`${file} is not a baseline:\n${findingsOf(parsed.error, '$').slice(0, 5).join('\n')}`);
  const { $schema, format, ...sample } = parsed.data;
  const ids = new Set(sample.cases.map(({ id }) => id));
  const seen = new Set<string>();
  for (const [index, { caseId, trial }] of sample.trials.entries()) {
    const key = JSON.stringify([caseId, trial]);
    if (!ids.has(caseId))
      throw bad(`${file} is not a baseline: $.trials.${index} is of a case that is not in $.cases.`);
    if (seen.has(key)) throw bad(`${file} is not a baseline: $.trials.${index} is there twice.`);
    seen.add(key);
  }
  return sample;
}

function jsonAt(file: string): unknown {
  try {
    if (statSync(file).size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 2 ** 20} MiB`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw bad(`The baseline ${file} can't be read: ${messageOf(cause)}`, cause);
  }
}

function bad(message: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_baseline',
    message,
    hint: 'waymark compare <run> --save-baseline <file> makes one; docs/reference/baseline.md describes the format.',
    ...(cause === undefined ? {} : { cause }),
  });
}
