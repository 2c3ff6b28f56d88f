/** Grades, gradings and the graders of a run, as the API shows them. */
import { z } from '@hono/zod-openapi';
import { graderSpecSchema } from '../../cases/index.ts';
import { furtherRequestSchema } from '../../runs/index.ts';
import { schema } from '../../store/index.ts';

/** Described by name: the settings of graders hold any JSON, which the document can't write out. */
export const requestSchema = furtherRequestSchema.extend({
  graders: z
    .array(
      // A copy: only schemas that are made here can be described.
      graderSpecSchema.clone().openapi({
        type: 'object',
        description: 'The settings of a grader: `answer` or `rubric`, as in docs/reference/graders.md',
      }),
    )
    .min(1)
    .max(20),
});

const time = z.string().nullable();
const count = z.int().nullable();
const verdict = z.enum(schema.VERDICTS);
const interval = z.object({ low: z.number(), high: z.number() });
const share = z.object({ count: z.int(), of: z.int(), rate: z.number().nullable(), interval });

const agreementSchema = z
  .object({
    with: z.array(z.string()).openapi({ description: 'The graders that decide, which it is compared with' }),
    compared: z.int(),
    table: z.object({ bothPass: z.int(), onlyJudge: z.int(), onlyReference: z.int(), neither: z.int() }),
    notCompared: z.object({ noReference: z.int(), judgeError: z.int(), judgeSkipped: z.int() }),
    agreement: share,
    kappa: z
      .object({ value: z.number().nullable(), interval: interval.nullable(), undefinedBecause: z.string().optional() })
      .openapi({ description: 'Cohen’s κ; null where it is not defined' }),
    precision: share,
    recall: share,
    specificity: share,
  })
  .openapi('Agreement');

export const graderSummarySchema = z
  .object({
    grader: z.string(),
    decides: z.int().optional().openapi({ description: 'Items that it decides; absent where it decides none' }),
    models: z.array(z.string()).optional(),
    verdicts: z.record(verdict, z.int()),
    passRate: share.openapi({ description: 'Passes among passes and failures' }),
    passRateWithErrors: share.openapi({ description: 'The same with errors of the grader as items that did not pass' }),
    cost: z
      .object({
        calls: z.int(),
        inputTokens: count,
        outputTokens: count,
        usd: z.number(),
        unknownUsd: z.int().openapi({ description: 'Grades that asked a model whose price is not known' }),
      })
      .optional(),
    agreement: agreementSchema.optional(),
  })
  .openapi('GraderSummary');

export const gradeSchema = z
  .object({
    id: z.int(),
    item_id: z.string(),
    trial: z.int(),
    attempt: z.int().openapi({ description: 'The attempt that was graded; 0 where the item had none' }),
    grader: z.string(),
    round: z.int(),
    verdict,
    score: z.number().nullable(),
    reasoning: z.string(),
    details: z.record(z.string(), z.unknown()),
    artifacts: z.array(z.string()).openapi({ description: 'Names of files that the grader kept' }),
    version: z.string().nullable(),
    model: z.string().nullable(),
    cost: z
      .object({ calls: z.int(), input_tokens: count, output_tokens: count, cost_usd: z.number().nullable() })
      .nullable(),
    created_at: z.string(),
    decides: z.boolean().openapi({ description: 'Whether it is the item’s own checker or judge' }),
    deciding: z
      .object({ grader: z.string(), verdict })
      .nullable()
      .openapi({ description: 'The grade that decides about the item now' }),
  })
  .openapi('Grade');

export const gradingSchema = z
  .object({
    id: z.string(),
    request: requestSchema,
    status: z.enum(schema.FURTHER_STATUSES),
    reason: z.string().nullable(),
    counts: z
      .object({
        pass: z.int(),
        fail: z.int(),
        error: z.int(),
        skipped: z.int(),
        calls: z.int(),
        cost_usd: z.number(),
      })
      .openapi({
        description: 'Of the grades that it gave; one that says what the grader said before is not given again',
      }),
    created_at: z.string(),
    started_at: time,
    finished_at: time,
  })
  .openapi('Grading');
