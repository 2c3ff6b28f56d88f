/** A run that a request asks a server to start, and the command line that it stands for. Nothing in it is a path or a program. */
import { z } from 'zod';
import { TASK_LIMITS } from '../../cases/index.ts';
import { MODEL_KINDS } from '../../models/index.ts';
import type { OfferedSuite, OfferedVariant } from './suites-and-variants.ts';

/** An external agent is a program: only a variant that is in a folder names one. */
export const OFFERED_AGENTS = ['scripted', 'single', 'orchestrator-executor'] as const;
export const OFFERED_SERVERS = ['embedded', 'playwright', 'chrome-devtools', 'openchrome', 'browseros'] as const;

const MODEL = new RegExp(`^(?:${MODEL_KINDS.join('|')}):\\S{1,200}$`);

export const startRequestSchema = z
  .strictObject({
    suite: z.string().min(1).max(200).describe('The name of a suite that the server offers'),
    seeds: z
      .string()
      .regex(/^[\d.,]{1,100}$/, { error: 'must be seeds such as 0..9, 3 or 1,4,7' })
      .optional()
      .describe('Of a suite of templates'),
    filter: z
      .string()
      .regex(/^[\w.*-]{1,200}$/, { error: 'must be a part of an id, or one with * in it' })
      .optional()
      .describe('Only tasks whose id contains this text; with * the whole id must fit'),
    variant: z.string().min(1).max(200).optional().describe('The name of a variant that the server offers'),
    agent: z.enum(OFFERED_AGENTS).optional(),
    server: z.enum(OFFERED_SERVERS).optional(),
    model: z
      .string()
      .regex(MODEL, { error: `must be kind:id, with one of these kinds: ${MODEL_KINDS.join(', ')}` })
      .optional(),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional()
      .describe('Where the model is called'),
    trials: z.int().min(1).max(100).optional(),
    concurrency: z.int().min(1).max(64).optional(),
    retries: z.int().min(0).max(5).optional(),
    maxSteps: z.int().min(1).max(TASK_LIMITS.maxSteps).optional(),
    maxDurationMs: z.int().min(1_000).max(TASK_LIMITS.maxDurationMs).optional(),
    maxTokens: z.int().min(1).max(1_000_000_000).optional(),
    maxCost: z.number().positive().max(1_000_000).optional(),
    maxRunTokens: z.int().min(1).max(1_000_000_000_000).optional(),
    maxRunCost: z.number().positive().max(1_000_000).optional(),
    experiment: z
      .string()
      .regex(/^[^\p{C}]{1,100}$/u, { error: 'must have 1 to 100 characters that can be seen' })
      .optional(),
  })
  .refine(({ variant, agent, model }) => variant === undefined || (agent === undefined && model === undefined), {
    error: 'a variant names its agent and its model: leave out these',
    path: ['variant'],
  });

export type StartRequest = z.infer<typeof startRequestSchema>;

/** Operands and flags of `waymark run`. Values stand behind `=`, so that none is taken for a flag. */
export function argumentsOf(
  request: StartRequest,
  { suite, variant }: { suite: OfferedSuite; variant: OfferedVariant | undefined },
): string[] {
  const { suite: _suite, variant: _variant, ...rest } = request;
  const values = { ...rest, ...(variant ? { variant: variant.file } : {}) };
  const flags = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=${value}`],
  );
  return [suite.folder, ...flags];
}
