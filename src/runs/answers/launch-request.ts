/** What is asked for when a dataset is launched on a model. */
import { z } from 'zod';
import { MAX_LINES } from '../../archives/index.ts';
import { MAX_ID } from '../../cases/index.ts';
import { judgeSchema } from '../grading/judge-choice.ts';

export const DEFAULT_CONCURRENCY = 4;
export const MAX_CONCURRENCY = 32;

const paramsSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).max(1_000_000).optional(),
  /** Said before every prompt. */
  system: z.string().trim().min(1).max(20_000).optional(),
});

export const launchRequestSchema = z.strictObject({
  dataset_id: z.string().min(1).max(MAX_ID),
  provider_id: z.string().min(1).max(MAX_ID),
  model: z.string().trim().min(1).max(200),
  sections: z.array(z.string().max(200)).min(1).max(1000).optional(),
  item_ids: z.array(z.string().max(MAX_ID)).min(1).max(MAX_LINES).optional(),
  max_items: z.int().positive().optional(),
  params: paramsSchema.optional(),
  judge: judgeSchema.nullish(),
  label: z.string().trim().max(200).optional(),
  /** Calls at once. */
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).optional(),
  /** Calls begun in a minute, retries included; evenly spaced. */
  requests_per_minute: z.int().min(1).max(100_000).optional(),
});

export type LaunchRequest = z.infer<typeof launchRequestSchema>;

/** What a worker needs of a run's configuration, read back from the store. */
export const launchConfigSchema = z.object({
  params: paramsSchema.catch({}).default({}),
  concurrency: z.int().min(1).max(MAX_CONCURRENCY).catch(DEFAULT_CONCURRENCY).default(DEFAULT_CONCURRENCY),
  requests_per_minute: z.int().positive().nullish().catch(null),
});

export function configOf(request: LaunchRequest): Record<string, unknown> {
  const { sections, item_ids, max_items, params, judge, concurrency, requests_per_minute } = request;
  return {
    variation: { enabled: false, per_item: 0, strategies: [] },
    judge: judge ? { ...judge, source: 'launch' } : null,
    scope: {
      ...(sections === undefined ? {} : { sections }),
      ...(item_ids === undefined ? {} : { item_ids }),
      ...(max_items === undefined ? {} : { max_items }),
    },
    params: { ...params },
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    requests_per_minute: requests_per_minute ?? null,
  };
}
