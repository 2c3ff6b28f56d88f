/** A variant in a file: an agent with its models and a tool server, by a name, so that a configuration can be run again and compared. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { externalOptionsSchema, OBSERVE_MODES } from '../agents/index.ts';
import { MAX_REPLAYS } from '../episode/index.ts';
import { findingsOf, messageOf, WaymarkError } from '../errors/index.ts';
import { MODEL_KINDS, parseModelName } from '../models/index.ts';
import { ServerChoice } from '../tools/index.ts';
import type { TaskChoices } from './resolve-tasks.ts';
import { assertVariantKeys } from './variant-keys.ts';

const VARIANT_FORMAT = 'waymark.variant.v1';

const model = z.union([
  z.string().min(3).describe('kind:id, such as openai:gpt-5-mini'),
  z.strictObject({
    kind: z.enum(MODEL_KINDS),
    model: z.string().min(1),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Where it is called; openai-compatible needs it'),
    keyEnv: z.string().min(1).nullable().optional().describe('The environment variable that holds the key; null: none'),
  }),
]);

export const variantFileSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(VARIANT_FORMAT),
  name: z.string().min(1).max(100).optional().describe('For reports; default: the name of the file'),
  about: z.string().optional(),
  agent: z
    .string()
    .min(1)
    .optional()
    .describe('scripted, single, orchestrator-executor, external, or a file that exports an agent'),
  server: z
    .union([z.string().min(1), ServerChoice])
    .optional()
    .describe('The tool server: a name, or its configuration'),
  model: model.optional(),
  orchestratorModel: model.optional(),
  executorModel: model.optional(),
  observe: z.enum(OBSERVE_MODES).optional().describe('What the model sees of the page; default: text'),
  temperature: z.number().min(0).max(2).optional(),
  contextTokens: z
    .int()
    .min(1_000)
    .optional()
    .describe('Tokens before old observations are left out; default: 100,000'),
  maxTokens: z.int().min(1).optional().describe('Tokens of one attempt'),
  maxCost: z.number().positive().optional().describe('US dollars of one attempt'),
  allowUnknownCost: z.boolean().optional(),
  external: externalOptionsSchema.optional().describe('Of an external agent: a preset or a command'),
  maxSteps: z.int().min(1).max(100).optional(),
  recoveryReplays: z
    .int()
    .min(1)
    .max(MAX_REPLAYS)
    .optional()
    .describe('Recovery search, with so many replays of an attempt at most; the harness helps the agent then'),
  untilDone: z.boolean().optional().describe('The agent must say that it is done; the verdict is the state then'),
});

/**
 * @param env Its `WAYMARK_KEY_VARIABLES` allows keys that a file may name beside those of the known vendors.
 * @throws WaymarkError usage_bad_variant, with what is wrong and where; usage_model where it names a key that a file may not name.
 */
export function readVariant(
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Partial<TaskChoices> {
  const parsed = variantFileSchema.safeParse(parse(file));
  if (!parsed.success) {
    throw bad(`${file} is not a valid variant:\n${findingsOf(parsed.error, '$').slice(0, 10).join('\n')}`);
  }
  const { $schema, format, about, name, agent, ...rest } = parsed.data;
  assertVariantKeys(file, parsed.data, env);
  const choices = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, /model$/i.test(key) ? modelOf(value) : value]),
  );
  return {
    ...choices,
    variant: name ?? path.basename(file).replace(/(?:\.variant)?\.json$/, ''),
    // A file is named relative to the variant's own.
    ...(agent === undefined ? {} : { agent: /[\\/]/.test(agent) ? path.resolve(path.dirname(file), agent) : agent }),
  };
}

function modelOf(value: unknown): unknown {
  return typeof value === 'string' ? parseModelName(value) : value;
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw bad(`The variant ${file} can't be read: ${messageOf(cause)}`, cause);
  }
}

function bad(message: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_variant',
    message,
    hint: 'docs/reference/variants.md describes the format.',
    ...(cause === undefined ? {} : { cause }),
  });
}
