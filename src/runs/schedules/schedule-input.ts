/** A schedule as people write it: what is launched or started, and when. */
import { z } from 'zod';
import type { schema } from '../../store/index.ts';
import { type LaunchRequest, launchRequestSchema } from '../answers/launch-request.ts';
import { type StartRequest, startRequestSchema } from '../started/start-request.ts';

const times = {
  name: z.string().trim().min(1).max(200),
  cron: z.string().trim().min(1).max(200),
  timezone: z.string().trim().min(1).max(100).default('UTC'),
  enabled: z.boolean().default(true),
};

const questionScheduleSchema = launchRequestSchema.extend(times);
const taskScheduleSchema = z.strictObject({ tasks: startRequestSchema, ...times });

export const scheduleInputSchema = z.union([questionScheduleSchema, taskScheduleSchema]);

export type ScheduleInput = z.infer<typeof scheduleInputSchema>;
export type ScheduleRow = typeof schema.schedule.$inferSelect;

export function columnsOf(input: ScheduleInput) {
  const { name, cron, timezone, enabled, ...rest } = input;
  return { name, cron, timezone, enabled, ...('tasks' in rest ? taskColumns(rest.tasks) : questionColumns(rest)) };
}

function questionColumns({ dataset_id, provider_id, model, ...config }: LaunchRequest) {
  return {
    datasetId: dataset_id,
    providerId: provider_id,
    model,
    config,
    judgeProviderId: config.judge?.provider_id ?? null,
  };
}

function taskColumns(tasks: StartRequest) {
  return { datasetId: null, providerId: null, model: null, config: tasks, judgeProviderId: null };
}

/** What it launches or starts, read back. */
export function requestOf(row: ScheduleRow): LaunchRequest | { tasks: StartRequest } {
  if (row.datasetId === null) return { tasks: startRequestSchema.parse(row.config) };
  return launchRequestSchema.parse({
    ...row.config,
    dataset_id: row.datasetId,
    provider_id: row.providerId,
    model: row.model,
  });
}
