/** The shape of `metadata.json`. Its names are in snake_case, because other tools read them so. */
import { z } from 'zod';
import { GRADE_VERDICTS } from './grade.ts';

/** Where an error or a warning arose. */
export const METADATA_SOURCES = [
  'window_creation',
  'navigation',
  'agent_execution',
  'mcp_tool',
  'screenshot',
  'grader',
  'message_logging',
  'cleanup',
  'unknown',
] as const;
export type MetadataSource = (typeof METADATA_SOURCES)[number];

const source = z.enum(METADATA_SOURCES);
const warning = z.strictObject({ source, message: z.string(), timestamp: z.iso.datetime() });
const grade = z.strictObject({
  grader: z.string(),
  verdict: z.enum(GRADE_VERDICTS),
  score: z.number().min(0).max(1).nullable(),
  reasoning: z.string(),
  details: z.unknown(),
  artifacts: z.array(z.string()),
});
/** Null is unknown, and never zero. */
const tokens = z.int().min(0).nullable();
const usd = z.number().min(0).nullable();
const usage = z.strictObject({
  calls: z.int().min(0),
  models: z.array(z.string()),
  input_tokens: tokens,
  cached_input_tokens: tokens,
  output_tokens: tokens,
  reasoning_tokens: tokens,
  total_tokens: tokens,
});

export const metadataSchema = z.strictObject({
  query_id: z.string(),
  dataset: z.string(),
  query: z.string(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime(),
  total_duration_ms: z.number().min(0),
  /** Calls of the agent; calls of agent and harness; pictures tried; pictures stored. Four numbers. */
  total_steps: z.int().min(0),
  tool_calls: z.int().min(0),
  screenshots: z.strictObject({ attempted: z.int().min(0), written: z.int().min(0) }),
  termination_reason: z.enum(['completed', 'max_steps', 'error', 'timeout']),
  final_answer: z.string().nullable(),
  errors: z.array(warning.extend({ details: z.unknown().optional() })),
  warnings: z.array(warning),
  agent_config: z.looseObject({ kind: z.string() }),
  /** What was fixed in the pages of a task; absent where nothing was. */
  determinism: z.unknown().optional(),
  /** The agent's, all roles together, and each role by itself. Graders are listed, and are not part of the sum. */
  token_usage: usage.extend({ by_role: z.record(z.string(), usage) }).optional(),
  cost: z.strictObject({ usd, price_table: z.string().optional(), by_role: z.record(z.string(), usd) }).optional(),
  /** By the grader's name. */
  grader_results: z.record(z.string(), grade),
});
export type AttemptMetadata = z.infer<typeof metadataSchema>;
