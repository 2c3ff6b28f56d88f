/** The flags of `waymark run` as choices of a run. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { OBSERVE_MODES, type ObserveMode } from '../agents/observe-modes.ts';
import { TASK_LIMITS } from '../cases/index.ts';
import { DEFAULT_REPLAYS, MAX_REPLAYS } from '../episode/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { ModelChoice } from '../models/index.ts';
import { MODEL_KINDS, parseModelName } from '../models/named-model.ts';
import { isRun, type TaskChoices } from '../runs/tasks.ts';
import { selectionOf } from './choosing-flags.ts';
import type { FlagValues } from './command.ts';
import { retriesOf } from './executing-flags.ts';
import { gradingOf } from './grader-flags.ts';
import { count, dollars, numberIn } from './number-flag.ts';
import type { runFlags } from './run-flags.ts';
import { withInstances } from './task-instances.ts';
import type { Terminal } from './terminal.ts';
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

export async function runChoices(
  flags: Flags,
  places: readonly string[],
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Promise<TaskChoices> {
  const { isolation } = flags;
  if (isolation !== undefined && isolation !== 'context' && isolation !== 'process')
    throw usage('--isolation is "context" or "process".');
  for (const flag of ['preset', 'command', 'pass-env'] as const)
    if (flags[flag] !== undefined && flags.agent !== 'external')
      throw usage(`--${flag} is for external agents.`, 'Add --agent external.');
  // Its schema loads every agent.
  const variant = flags.variant === undefined ? {} : (await import('../runs/local.ts')).readVariant(flags.variant, env);
  const choices: TaskChoices = {
    tasks: await withInstances(places, flags.seeds, cwd),
    ...(await selectionOf(flags, cwd)),
    ...retriesOf(flags),
    skipQuarantined: flags['skip-quarantined'],
    agent: flags.agent,
    server: flags.server === undefined ? undefined : serverChoice(flags.server),
    trials: count(flags.trials, 'trials'),
    concurrency: count(flags.concurrency, 'concurrency'),
    maxSteps: count(flags['max-steps'], 'max-steps', TASK_LIMITS.maxSteps),
    maxDurationMs: count(flags['max-duration-ms'], 'max-duration-ms', TASK_LIMITS.maxDurationMs),
    browser: flags.browser,
    headed: flags.headed,
    isolation,
    freshServer: flags['fresh-server'],
    untilDone: flags['until-done'],
    experiment: flags.experiment,
    screenshots: flags['no-screenshots'] !== true,
    allowGuarded: flags['allow-guarded'],
    recoveryReplays: flags.recover === true ? DEFAULT_REPLAYS : count(flags.recover, 'recover', MAX_REPLAYS),
    imageModel: flags['image-model'] === undefined ? undefined : imageModelOf(flags['image-model']),
    ...(flags.agent === 'external' ? { external: externalOf(flags) } : { model: modelOf(flags.model, flags) }),
    orchestratorModel: modelOf(flags['orchestrator-model'], flags),
    executorModel: modelOf(flags['executor-model'], flags),
    observe: observeOf(flags.observe),
    ...temperatureIn(flags.temperature),
    maxTokens: count(flags['max-tokens'], 'max-tokens'),
    maxCost: dollars(flags['max-cost'], 'max-cost'),
    maxRunTokens: count(flags['max-run-tokens'], 'max-run-tokens'),
    maxRunCost: dollars(flags['max-run-cost'], 'max-run-cost'),
    allowUnknownCost: flags['allow-unknown-cost'],
    grading: gradingOf(flags, process.cwd(), flags.agent === 'external' ? undefined : modelOf(flags.model, flags)),
    env,
    version: version(),
  };
  return { ...choices, ...variant, ...given(choices) };
}

/** What was said at the command line stands above the variant's file. */
function given(choices: TaskChoices): TaskChoices {
  return Object.fromEntries(
    Object.entries(choices).filter(([, value]) => value !== undefined),
  ) as unknown as TaskChoices;
}

/** A name, the JSON of a configuration, or a file with it. */
function serverChoice(given: string): TaskChoices['server'] {
  const isFile = given.endsWith('.json');
  if (!isFile && !given.trimStart().startsWith('{')) return given;
  try {
    return JSON.parse(isFile ? readFileSync(given, 'utf8') : given);
  } catch (error) {
    const what = isFile ? `the file ${given} can’t be read as JSON` : 'this is neither a name nor JSON';
    throw usage(`--server: ${what}: ${messageOf(error)}.`, 'See docs/reference/servers.md.');
  }
}

/** The models of a run: `kind:id`, each with the address and the key of --base-url and --key-env. */
function modelOf(
  given: string | undefined,
  { 'base-url': baseUrl, 'key-env': keyEnv }: Flags,
): ModelChoice | undefined {
  return given === undefined ? undefined : { ...parseModelName(given), baseUrl, keyEnv };
}

/** A preset knows which protocol its agent speaks: the kind of the model may be left out. */
function externalOf(flags: Flags): NonNullable<TaskChoices['external']> {
  const { preset, model, command, 'base-url': baseUrl, 'key-env': keyEnv, 'pass-env': passEnv } = flags;
  const kind = MODEL_KINDS.find((known) => model?.startsWith(`${known}:`));
  return {
    preset,
    command: command === undefined ? undefined : wordsOf(command),
    model: kind === undefined ? model : model?.slice(kind.length + 1),
    baseUrl,
    keyEnv,
    passEnv: passEnv?.split(','),
  };
}

/** No shell reads it: quotes are for a JSON array. */
function wordsOf(command: string): string[] {
  if (!command.trimStart().startsWith('[')) return command.trim().split(/\s+/);
  const words = z.array(z.string().min(1)).min(1).safeParse(json(command));
  if (words.success) return words.data;
  throw usage(
    '--command is neither words nor a JSON array of texts.',
    'For example: --command \'["my-agent", "{goal}"]\'',
  );
}

/** `kind:id`, or JSON where an address or the name of a key's variable has to be said. */
function imageModelOf(given: string): ModelChoice {
  if (!given.trimStart().startsWith('{')) return parseModelName(given);
  const parsed = modelSchema.safeParse(json(given));
  if (parsed.success) return parsed.data;
  throw usage(
    '--image-model is neither <kind:id> nor the JSON of a model.',
    `Kinds are: ${MODEL_KINDS.join(', ')}. JSON has kind, model, and where needed baseUrl and keyEnv.`,
  );
}

const modelSchema = z.strictObject({
  kind: z.enum(MODEL_KINDS),
  model: z.string().min(1),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  keyEnv: z.string().min(1).nullable().optional(),
});

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Reported with what the flag takes.
    return undefined;
  }
}

function observeOf(given: string | undefined): ObserveMode | undefined {
  const mode = OBSERVE_MODES.find((known) => known === given);
  if (given === undefined || mode !== undefined) return mode;
  throw usage(`--observe is one of ${OBSERVE_MODES.join(', ')}, but got "${given}".`);
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}

export function temperatureIn(given: string | undefined): { temperature?: number } {
  const { temperature } = numberIn(given, 'temperature', 'temperature');
  if (temperature === undefined) return {};
  if (temperature >= 0 && temperature <= 2) return { temperature };
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `--temperature takes a number from 0 to 2, but got "${given}".`,
  });
}
