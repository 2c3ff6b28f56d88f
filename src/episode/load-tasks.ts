/** Tasks from where people keep them: JSON files, folders of them, JSONL, TypeScript modules. All problems of all files at once. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { type EpisodeTaskSpec, parseTask } from './task.ts';

/** JSON that lies in many folders and is never a task. */
const NO_TASKS = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'biome.json',
  'run.json',
  'report.json',
]);

export interface LoadedTask {
  task: EpisodeTaskSpec;
  /** The file, with a line for JSONL: what a message names. */
  source: string;
  /** Paths in the task are relative to this. */
  folder: string;
}

interface Raw {
  source: string;
  folder: string;
  input: unknown;
}

export async function loadTasks(places: readonly string[]): Promise<LoadedTask[]> {
  const problems: string[] = [];
  const loaded: LoadedTask[] = [];
  for (const raw of (await Promise.all(places.map((place) => readPlace(place, problems)))).flat()) {
    const parsed = parseTask(raw.input);
    if (parsed.ok) loaded.push({ task: parsed.task, source: raw.source, folder: raw.folder });
    else problems.push(...parsed.problems.map(({ path: at, message }) => `${raw.source}: ${at}: ${message}`));
  }
  const seen = new Map<string, string>();
  for (const { task, source } of loaded) {
    const other = seen.get(task.id);
    if (other !== undefined) problems.push(`${source}: $.id: "${task.id}" is also the id of ${other}.`);
    seen.set(task.id, source);
  }
  if (problems.length > 0) {
    throw new WaymarkError({
      code: 'usage_bad_tasks',
      message: `${problems.length} problem${problems.length === 1 ? '' : 's'} in the tasks; nothing was run.\n${problems.join('\n')}`,
      hint: 'docs/reference/task.md describes every field.',
    });
  }
  if (loaded.length === 0) {
    throw new WaymarkError({
      code: 'usage_bad_tasks',
      message: `No task was found in ${places.join(', ') || 'nothing'}.`,
      hint: 'Give a task file (.json, .jsonl, .ts) or a folder that holds some.',
    });
  }
  return loaded;
}

async function readPlace(place: string, problems: string[]): Promise<Raw[]> {
  try {
    if (!statSync(place).isDirectory()) return await readFile(place, problems);
    // Sorted: the order of a folder is not the same everywhere.
    const files = readdirSync(place).filter(
      (name) => /\.task\.(json|ts)$|\.tasks\.jsonl$/.test(name) || (/^[^.]+\.json$/.test(name) && !NO_TASKS.has(name)),
    );
    return (await Promise.all(files.sort().map((name) => readFile(path.join(place, name), problems)))).flat();
  } catch (error) {
    problems.push(`${place}: ${messageOf(error)}`);
    return [];
  }
}

async function readFile(file: string, problems: string[]): Promise<Raw[]> {
  const folder = path.dirname(file);
  if (/\.[cm]?[tj]s$/.test(file)) {
    const module: { default?: unknown } = await import(pathToFileURL(path.resolve(file)).href);
    const tasks = Array.isArray(module.default) ? module.default : [module.default];
    return tasks.map((input, index) => ({ source: tasks.length > 1 ? `${file}[${index}]` : file, folder, input }));
  }
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.jsonl')) return parse(text, file, folder, problems);
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : parse(line, `${file}:${index + 1}`, folder, problems)));
}

function parse(text: string, source: string, folder: string, problems: string[]): Raw[] {
  try {
    return [{ source, folder, input: JSON.parse(text) }];
  } catch (error) {
    problems.push(`${source}: no JSON: ${messageOf(error)}`);
    return [];
  }
}
