/** Task templates: a module `templates.ts` in a folder makes tasks and their transcripts from seeds. They are written as files, like any others. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { findingsOf, messageOf, WaymarkError } from '../../errors/index.ts';

const MODULES = ['templates.ts', 'templates.mjs', 'templates.js'];
const FIXTURES = ['fixture.ts', 'fixture.mjs', 'fixture.js'];
const MAX_SEEDS = 1_000;

/** What the module's function gives for a seed. Tasks and transcripts are checked when they are loaded. */
const made = z.array(
  z.object({
    task: z.looseObject({ id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/) }),
    oracle: z.unknown(),
    solutions: z.array(z.unknown()).readonly(),
    /** By a name that says what is wrong. */
    nearMisses: z.record(z.string().regex(/^[a-z0-9-]+$/), z.unknown()),
  }),
);

/** The module in a folder; undefined where there is none. */
export function templatesIn(place: string): string | undefined {
  if (!existsSync(place) || !statSync(place).isDirectory()) return undefined;
  return MODULES.map((name) => path.resolve(place, name)).find(existsSync);
}

/**
 * The numbers of `0..9`, `3`, `1,4,7`.
 *
 * @throws where the text is no list of seeds.
 */
export function parseSeeds(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(part.trim()) ?? [];
    const count = Number(to) - Number(from) + 1;
    return count >= 1 && count <= MAX_SEEDS ? Array.from({ length: count }, (_, index) => Number(from) + index) : [-1];
  });
  const all = [...new Set(seeds)];
  if (!all.includes(-1) && all.length <= MAX_SEEDS) return all;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `--seeds takes numbers such as 0..9, 3 or 1,4,7, and at most ${MAX_SEEDS.toLocaleString('en')}, but got "${text}".`,
  });
}

/**
 * Writes the tasks of these seeds with their transcripts into a folder, and what starts their fixture. Files of earlier instances that are not
 * among them are removed.
 */
export async function writeInstances(place: string, seeds: readonly number[], out: string): Promise<void> {
  const module = templatesIn(place);
  if (module === undefined) throw new Error(`${place} has no templates.`);
  const files = new Map<string, string>();
  const put = (name: string, value: unknown): void => {
    files.set(name, `${JSON.stringify(value, null, 2)}\n`);
  };
  for (const { task, oracle, solutions, nearMisses } of await instancesFrom(module, seeds)) {
    put(`${task.id}.task.json`, task);
    put(`oracles/${task.id}.json`, oracle);
    for (const [index, solution] of solutions.entries()) put(`solutions/${task.id}.${index + 1}.json`, solution);
    for (const [name, miss] of Object.entries(nearMisses)) put(`near-misses/${task.id}.${name}.json`, miss);
  }
  const fixture = FIXTURES.map((name) => path.resolve(place, name)).find(existsSync);
  if (fixture !== undefined)
    files.set('fixture.mjs', `export { default } from ${JSON.stringify(pathToFileURL(fixture).href)};\n`);
  replaceFiles(out, files);
}

async function instancesFrom(module: string, seeds: readonly number[]): Promise<z.infer<typeof made>> {
  try {
    const { default: instances }: { default?: (seed: number) => unknown } = await import(pathToFileURL(module).href);
    if (typeof instances !== 'function') throw new TypeError('its default export is no function');
    const given = made.safeParse(seeds.flatMap((seed) => instances(seed)));
    if (!given.success) throw new TypeError(`what it gives is not usable (${findingsOf(given.error).join('; ')})`);
    return given.data;
  } catch (cause) {
    throw new WaymarkError({
      code: 'usage_bad_tasks',
      message: `The templates ${module} made no tasks: ${messageOf(cause)}.`,
      hint: 'The module must export by default a function from a seed to a list of { task, oracle, solutions, nearMisses }.',
      cause,
    });
  }
}

/** Files that are as they should be are left alone: another command may be reading them. */
function replaceFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const name of ['.', 'oracles', 'solutions', 'near-misses'])
    mkdirSync(path.join(folder, name), { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(path.relative(folder, file).replaceAll(path.sep, '/'))) rmSync(file);
  }
  for (const [name, text] of files) {
    const file = path.join(folder, name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}
