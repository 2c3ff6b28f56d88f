/**
 * `waymark.config.ts` and suite files (`*.suite.json`): defaults for the flags of `waymark run`, by the same names in camelCase. The command
 * line stands above a suite file, which stands above the configuration.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readTaskText } from '../cases/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { Flag, FlagValues } from './command.ts';
import { nearest } from './nearest.ts';
import { runFlags } from './run-flags.ts';

const CONFIG_FILES = ['waymark.config.ts', 'waymark.config.mts', 'waymark.config.js', 'waymark.config.mjs'];
const SUITE_FILE = /\.suite\.json$/;
const SUITE_FORMAT = 'waymark.suite.v1';

/** Of one command: a default for them would be a surprise. */
const NOT_SET_HERE = [
  'config',
  'json',
  'resume',
  'retry-failed',
  'new',
  'list',
  'preview',
  'watch',
  'last-failed',
  'shard',
  'api',
  'provider',
  'judge',
  'label',
  'detach',
] as const satisfies (keyof typeof runFlags)[];

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type ValueOf<F extends Flag> = F['type'] extends 'boolean'
  ? boolean
  : F['type'] extends 'optional'
    ? boolean | number
    : F extends { isList: true }
      ? string | readonly string[]
      : string | number;

/** Paths that begin with `./` or `../`, and those of `tasks`, are relative to the file. */
export type WaymarkConfig = {
  /** Task files and folders that are run where the command names none. */
  readonly tasks?: readonly string[];
} & {
  readonly [K in Exclude<keyof typeof runFlags, (typeof NOT_SET_HERE)[number]> as Camel<K>]?: ValueOf<
    (typeof runFlags)[K]
  >;
};

/**
 * For `waymark.config.ts`: types and completion, nothing else.
 * @example
 * export default defineConfig({ tasks: ['tasks/'], server: 'playwright', trials: 3, retries: 1, reporter: ['list', 'junit=out/results.xml'] });
 */
export function defineConfig(config: WaymarkConfig): WaymarkConfig {
  return config;
}

export interface Defaults {
  readonly flags: FlagValues<typeof runFlags>;
  readonly operands: readonly string[];
}

/** What the files say, as flags and operands. `given`: the operands of the command line. */
export async function readDefaults(file: string | undefined, given: readonly string[], cwd: string): Promise<Defaults> {
  const config = await configAt(file, cwd);
  const [first, another] = given;
  if (first === undefined || !SUITE_FILE.test(first)) {
    if (given.some((place) => SUITE_FILE.test(place)))
      throw bad('A suite file can’t be combined with other operands.', 'Name its tasks in the suite file.');
    return { flags: config?.flags ?? {}, operands: given.length > 0 ? given : (config?.operands ?? []) };
  }
  if (another !== undefined)
    throw bad('A suite file can’t be combined with other operands.', 'Name its tasks in the suite file.');
  const suite = defaultsOf(suiteAt(path.resolve(cwd, first)), path.resolve(cwd, first));
  if (suite.operands.length === 0) throw bad(`${first} names no tasks.`, 'Give it a list: "tasks": ["tasks/"]');
  return { flags: { ...config?.flags, ...suite.flags }, operands: suite.operands };
}

async function configAt(given: string | undefined, cwd: string): Promise<Defaults | undefined> {
  const file =
    given === undefined
      ? CONFIG_FILES.map((name) => path.join(cwd, name)).find((name) => existsSync(name))
      : path.resolve(cwd, given);
  if (file === undefined) return undefined;
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(file).href);
  } catch (cause) {
    throw bad(`The configuration ${file} can't be loaded: ${messageOf(cause)}`, undefined, cause);
  }
  return defaultsOf(module.default, file);
}

function suiteAt(file: string): unknown {
  try {
    const { $schema: _, format, about: _about, ...rest } = Object(JSON.parse(readTaskText(file)));
    if (format === SUITE_FORMAT) return rest;
  } catch (cause) {
    throw bad(`The suite ${file} can't be read: ${messageOf(cause)}`, undefined, cause);
  }
  throw bad(`${file} is not a suite: its "format" is not "${SUITE_FORMAT}".`);
}

function defaultsOf(value: unknown, file: string): Defaults {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`${file} does not give an object.`, 'export default defineConfig({ … })');
  const flags: Record<string, string | boolean> = {};
  const folder = path.dirname(file);
  let operands: string[] = [];
  for (const [key, given] of Object.entries(value)) {
    if (given === undefined) continue;
    if (key === 'tasks') {
      if (!Array.isArray(given) || !given.every((place) => typeof place === 'string' && place !== ''))
        throw bad(`${file}: "tasks" must be a list of paths.`);
      operands = given.map((place) => path.resolve(folder, place));
      continue;
    }
    const name = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const flag: Flag | undefined = Object.hasOwn(runFlags, name) ? runFlags[name as keyof typeof runFlags] : undefined;
    if (!flag || key.includes('-') || (NOT_SET_HERE as readonly string[]).includes(name)) throw unknownKey(file, key);
    const text = flagValue(flag, given, folder);
    if (text === undefined)
      throw bad(`${file}: "${key}" has no usable value (${JSON.stringify(given)?.slice(0, 60)}).`);
    if (text !== false) flags[name] = text;
  }
  return { flags: flags as Defaults['flags'], operands };
}

/** As the command line would have it; undefined where it can't. */
function flagValue({ type, isList }: Flag, given: unknown, folder: string): string | boolean | undefined {
  if (typeof given === 'boolean') return type === 'string' ? undefined : given;
  if (type === 'boolean') return undefined;
  if (typeof given === 'number') return Number.isFinite(given) ? String(given) : undefined;
  const list = Array.isArray(given) && isList ? given : [given];
  if (list.length === 0 || !list.every((one) => typeof one === 'string' && one !== '')) return undefined;
  return list.map((one: string) => (/^\.\.?\//.test(one) ? path.resolve(folder, one) : one)).join(',');
}

function unknownKey(file: string, key: string): WaymarkError {
  const known = [
    'tasks',
    ...Object.keys(runFlags)
      .filter((name) => !(NOT_SET_HERE as readonly string[]).includes(name))
      .map((name) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())),
  ];
  const near = nearest(key, known);
  return bad(`${file}: "${key}" can't be set here.${near === undefined ? '' : ` Did you mean "${near}"?`}`);
}

function bad(message: string, hint?: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_config',
    message: `${message} Nothing was run.`,
    hint: hint ?? 'docs/reference/config.md describes configuration and suite files.',
    ...(cause === undefined ? {} : { cause }),
  });
}
