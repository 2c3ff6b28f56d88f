/** A schedule as people write it: a launch, and when. */
import { z } from 'zod';
import type { schema } from '../../store/index.ts';
import { type LaunchRequest, launchRequestSchema } from '../answers/launch-request.ts';

export const scheduleInputSchema = launchRequestSchema.extend({
  name: z.string().trim().min(1).max(200),
  cron: z.string().trim().min(1).max(200),
  timezone: z.string().trim().min(1).max(100).default('UTC'),
  enabled: z.boolean().default(true),
});

export type ScheduleInput = z.infer<typeof scheduleInputSchema>;
export type ScheduleRow = typeof schema.schedule.$inferSelect;

export function columnsOf(input: ScheduleInput) {
  const { name, cron, timezone, enabled, dataset_id, provider_id, model, ...config } = input;
  return {
    name,
    cron,
    timezone,
    enabled,
    datasetId: dataset_id,
    providerId: provider_id,
    model,
    config,
    judgeProviderId: config.judge?.provider_id ?? null,
  };
}

/** What it launches, read back. */
export function requestOf(row: ScheduleRow): LaunchRequest {
  return launchRequestSchema.parse({
    ...row.config,
    dataset_id: row.datasetId,
    provider_id: row.providerId,
    model: row.model,
  });
}
