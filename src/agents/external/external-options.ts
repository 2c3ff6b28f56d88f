/** What is asked for with `--agent external`, checked before anything starts. */
import path from 'node:path';
import { z } from 'zod';
import { findingsOf, WaymarkError } from '../../errors/index.ts';
import { usualKeyRefusal } from '../../models/index.ts';
import { findExecutable } from '../../tools/index.ts';
import type { Preset } from './preset.ts';
import { PRESETS } from './presets/index.ts';

export const externalOptionsSchema = z.strictObject({
  /** `codex`, `claude`, `gemini`, `opencode`, `qwen`. */
  preset: z.string().optional(),
  /** The whole command, with placeholders; with a preset, only what starts the agent, instead of its name. */
  command: z.array(z.string().min(1)).min(1).optional(),
  /** For a preset. */
  model: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The variable that holds the key of the model's provider. */
  keyEnv: z.string().min(1).optional(),
  /** Names of further variables that the agent gets. */
  passEnv: z.array(z.string().min(1)).optional(),
  /** Milliseconds for connecting to the endpoint. */
  connectMs: z.int().min(1).optional(),
});
export type ExternalOptions = z.infer<typeof externalOptionsSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

export interface CheckedOptions extends ExternalOptions {
  readonly presetOf: Preset | undefined;
  readonly command: string[];
}

export function checkOptions(given: ExternalOptions, env: Environment): CheckedOptions {
  const parsed = externalOptionsSchema.safeParse(given);
  if (!parsed.success) throw usage(`The external agent can't be started: ${findingsOf(parsed.error).join('; ')}.`);
  const options = parsed.data;
  const presetOf = presetNamed(options.preset);
  const command = options.command ?? (presetOf ? [presetOf.command] : undefined);
  if (!command)
    throw usage('The external agent needs a preset or a command.', `Presets are: ${Object.keys(PRESETS).join(', ')}.`);
  if (!presetOf) {
    for (const [name, value] of Object.entries({ model: options.model, 'base-url': options.baseUrl }))
      if (value !== undefined)
        throw usage(`--${name} is for presets: the command of an external agent names its model itself.`);
  }
  if (presetOf?.needsModel && options.model === undefined)
    throw usage(
      `The preset ${presetOf.name} needs a model.`,
      `Name one that speaks ${presetOf.speaks}: --model <name>.`,
    );
  const keyEnv = options.keyEnv ?? presetOf?.keyVariable;
  if (options.keyEnv === undefined && keyEnv !== undefined && options.baseUrl !== undefined) {
    const withheld = usualKeyRefusal(keyEnv, options.baseUrl);
    if (withheld !== undefined)
      throw new WaymarkError({
        code: 'usage_model',
        message: `${withheld} Nothing was run.`,
        hint: 'Name the variable with the key of that address by --key-env.',
      });
  }
  for (const name of [...(keyEnv === undefined ? [] : [keyEnv]), ...(options.passEnv ?? [])])
    if (!env[name])
      throw new WaymarkError({
        code: 'usage_model',
        message: `The external agent needs the environment variable ${name}; nothing was run.`,
        hint: 'Set it for this command. Its value goes to the agent, and into no file.',
      });
  checkExecutable(command[0] ?? '', env, presetOf);
  return { ...options, ...(keyEnv === undefined ? {} : { keyEnv }), presetOf, command: absolute(command) };
}

/** The variable that a preset reads its key from; null: there is no such preset, which is said when it is started. */
export function presetKeyVariable(name: string): string | null {
  return (Object.hasOwn(PRESETS, name) ? PRESETS[name]?.keyVariable : undefined) ?? null;
}

function presetNamed(name: string | undefined): Preset | undefined {
  if (name === undefined) return undefined;
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (preset) return preset;
  throw usage(`There is no preset "${name}".`, `Presets are: ${Object.keys(PRESETS).join(', ')}.`);
}

function checkExecutable(file: string, env: Environment, preset: Preset | undefined): void {
  if (file.includes('{')) return;
  if (findExecutable(file, { PATH: env['PATH'] })) return;
  throw usage(
    `The command "${file}" of the external agent was not found.`,
    preset
      ? `Install it (npm install ${preset.package.replace(' ', '@')}), or name it with --command.`
      : 'Give its path, or put its folder into PATH.',
  );
}

/** The agent's working folder is its own: a relative path is meant from ours. */
function absolute([file = '', ...args]: readonly string[]): string[] {
  return [file.includes(path.sep) ? path.resolve(file) : file, ...args];
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}
