/** Runs as the API shows them. */
import { z } from '@hono/zod-openapi';
import { schema } from '../../store/index.ts';
import { RUN_ITEM_STATUSES } from '../wire-names.ts';
import { graderSummarySchema } from './grade-schemas.ts';
import { warningSchema } from './respond.ts';

const time = z.string().nullable();
export const ratio = z.number().nullable();
export const interval = z.object({ low: z.number(), high: z.number() });

const usageSchema = z
  .object({ input_tokens: z.int().nullable(), output_tokens: z.int().nullable(), cost_usd: z.number().nullable() })
  .nullable()
  .openapi({
    description:
      'Tokens and cost of the calls, in US dollars; a field is null where an answer does not say its part, and all of it where no field is known',
  });

/** Names and models that the run's own provider and judge have; further keys where a launch has more to say. */
const configSchema = z.record(z.string(), z.unknown());

export const runSchema = z
  .object({
    id: z.string(),
    dataset: z.object({ id: z.string(), name: z.string(), version_hash: z.string(), is_current: z.boolean() }),
    provider: z.object({
      id: z.string(),
      name: z.string(),
      surface: z.enum(schema.SURFACES),
      browser_target: z
        .object({ preset: z.string().nullable(), origin: z.string().nullable(), display_name: z.string().nullable() })
        .nullable(),
    }),
    model: z.string().nullable(),
    model_labels: z.array(z.string()),
    // Without the list, the document would allow only the text, and not null.
    capture_label: z
      .literal('self-reported capture')
      .nullable()
      .openapi({ enum: ['self-reported capture', null] }),
    label: z.string(),
    tags: z.array(z.string()),
    status: z.enum(schema.RUN_STATUSES),
    status_reason: z.string().nullable(),
    scoring_status: z.enum(schema.GRADING_STATUSES),
    scoring_reason: z.string().nullable(),
    scoring_attempt: z.int(),
    triggered_by: z.enum(schema.TRIGGERS),
    schedule_id: z.string().nullable(),
    config: configSchema,
    item_count: z.int(),
    counts: z.record(z.string(), z.number()),
    usage: usageSchema,
    accuracy: ratio,
    coverage: ratio,
    started_at: time,
    finished_at: time,
    imported_at: time,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Run');

const accuracySchema = z.object({
  total: z.int(),
  scored: z.int(),
  coverage: ratio,
  passed: z.int(),
  accuracy: ratio,
  interval,
  mean_value: ratio,
});

export const runDetailSchema = runSchema
  .extend({
    import_id: z.string().nullable(),
    warnings: z.array(warningSchema),
    summary: accuracySchema.extend({
      verdicts: z.record(z.enum([...schema.VERDICTS, 'unscored']), z.int()),
      sections: z.array(accuracySchema.extend({ section: z.string() })).readonly(),
      graders: z
        .array(graderSummarySchema)
        .readonly()
        .openapi({ description: 'Graders side by side; empty where no further grader has graded an item' }),
    }),
  })
  .openapi('RunDetail');

const scoreSchema = z
  .object({
    attempt: z.int(),
    method: z.string(),
    value: ratio,
    verdict: z.enum(schema.VERDICTS),
    detail: z.record(z.string(), z.unknown()),
    judge: z.record(z.string(), z.unknown()).nullable(),
    created_at: z.string(),
  })
  .openapi('Score');

export const runItemSchema = z
  .object({
    id: z.string(),
    seq: z.int(),
    section: z.string(),
    type: z.string(),
    status: z.enum(RUN_ITEM_STATUSES),
    prompt_text: z.string(),
    response: z.string().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    model_label: z.string().nullable(),
    timing: z.object({ started_at: time, finished_at: time, latency_ms: z.number().nullable() }),
    outcome: z
      .string()
      .nullable()
      .openapi({ description: 'The outcome class; null where there is none yet, or nothing could grade the answer' }),
    usage: usageSchema,
    attempts: z.int().openapi({ description: 'How often it was asked; the last attempt that ended is shown' }),
    scores: z.array(scoreSchema),
  })
  .openapi('RunItem');

export const logLineSchema = z
  .object({
    seq: z.int(),
    at: z.string(),
    level: z.enum(schema.LOG_LEVELS),
    code: z.string(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .openapi('RunLogLine');

const CHANGES = ['both_pass', 'both_fail', 'only_a', 'only_b', 'unpaired'] as const;
const exactTest = z.object({ pValue: z.number(), informative: z.int() });
const comparedScore = z
  .object({ item_id: z.string(), attempt: z.int(), value: ratio, verdict: z.enum(schema.VERDICTS) })
  .nullable();

export const comparisonSchema = z
  .object({
    items: z
      .array(z.object({ id: z.string(), a: comparedScore, b: comparedScore, change: z.enum(CHANGES) }))
      .readonly(),
    counts: z.record(z.enum(CHANGES), z.int()),
    statistics: z.object({
      verdict: z.enum(['better', 'worse', 'not_enough_evidence']),
      reasons: z.array(z.string()),
      pairs: z.int(),
      difference: z.object({
        estimate: ratio,
        interval: interval.nullable(),
        standardError: ratio,
        clusters: z.int(),
      }),
      mcnemar: exactTest,
      signTest: exactTest,
      minimumDetectableEffect: ratio,
      morePairsNeeded: z.number().nullable(),
    }),
  })
  .openapi('RunComparison');
