/** The flags of `waymark run` as choices of a run. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { TASK_LIMITS } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { MODEL_KINDS, type ModelChoice } from '../models/index.ts';
import { isRun, type TaskChoices } from '../runs/index.ts';
import type { FlagValues } from './command.ts';
import type { runFlags } from './run-flags.ts';
import { version } from './version.ts';

type Flags = FlagValues<typeof runFlags>;

/** Operands are tasks; with --resume, the one that is a run is the run to resume. */
export function splitOperands(
  operands: readonly string[],
  isResumed: boolean,
): { places: readonly string[]; run: string | undefined } {
  const run = isResumed ? operands.find((place) => existsSync(place) && isRun(place)) : undefined;
  return { places: operands.filter((place) => place !== run), run };
}

export function runChoices(flags: Flags, places: readonly string[], env: TaskChoices['env']): TaskChoices {
  const { isolation } = flags;
  if (isolation !== undefined && isolation !== 'context' && isolation !== 'process')
    throw usage('--isolation is "context" or "process".');
  return {
    tasks: places,
    only: flags.task === undefined ? undefined : [flags.task],
    agent: flags.agent,
    server: flags.server === undefined ? undefined : serverChoice(flags.server),
    trials: count(flags.trials, 'trials'),
    concurrency: count(flags.concurrency, 'concurrency'),
    maxSteps: count(flags['max-steps'], 'max-steps', TASK_LIMITS.maxSteps),
    maxDurationMs: count(flags['max-duration-ms'], 'max-duration-ms', TASK_LIMITS.maxDurationMs),
    browser: flags.browser,
    isolation,
    freshServer: flags['fresh-server'],
    untilDone: flags['until-done'],
    screenshots: flags['no-screenshots'] !== true,
    allowGuarded: flags['allow-guarded'],
    imageModel: flags['image-model'] === undefined ? undefined : modelChoice(flags['image-model']),
    env,
    version: version(),
  };
}

/** A name, or the JSON of a configuration. */
function serverChoice(given: string): TaskChoices['server'] {
  if (!given.trimStart().startsWith('{')) return given;
  try {
    return JSON.parse(given);
  } catch {
    // Where exactly the JSON is broken matters less than that it must be JSON.
    throw usage('--server is neither a name nor JSON.', 'See docs/reference/servers.md.');
  }
}

const modelSchema = z.strictObject({
  kind: z.enum(MODEL_KINDS),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  keyEnv: z.string().min(1).nullable().optional(),
});

/** `kind:id`, or JSON where an address or the name of a key's variable has to be said. */
function modelChoice(given: string): ModelChoice {
  const [kind, ...id] = given.split(':');
  const parsed = modelSchema.safeParse(given.trimStart().startsWith('{') ? json(given) : { kind, model: id.join(':') });
  if (parsed.success) return parsed.data;
  throw usage(
    '--image-model is neither <kind:id> nor the JSON of a model.',
    `Kinds are: ${MODEL_KINDS.join(', ')}. JSON has kind, model, and where needed baseUrl and keyEnv.`,
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported with what the flag takes.
    return undefined;
  }
}

export function count(given: string | undefined, flag: string, most?: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = most === undefined ? 'from 1' : `from 1 to ${most.toLocaleString('en')}`;
  throw usage(`--${flag} takes a whole number ${range}, but got "${given}".`);
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}
