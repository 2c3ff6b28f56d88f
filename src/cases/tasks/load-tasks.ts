/** Tasks from where people keep them: JSON files, folders of them, JSONL, TypeScript modules. All problems of all files at once. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted, messageOf, WaymarkError } from '../../errors/index.ts';
import { readTaskText } from './read-task-text.ts';
import { readSuiteFile, SUITE_FILE, type SuiteDefaults, withDefaults } from './suite-file.ts';
import { type EpisodeTaskSpec, parseTask, type TaskInput } from './task.ts';
import type { TaskProblem } from './task-problem.ts';

/** JSON that lies in many folders and is never a task. */
const NO_TASKS = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'biome.json',
  'run.json',
  'report.json',
  SUITE_FILE,
]);

/** In the message; `problems` has all. */
const SHOWN_PROBLEMS = 100;

export interface LoadedTask {
  task: EpisodeTaskSpec;
  /** The file, with a line for JSONL: what a message names. */
  source: string;
  /** Paths in the task are relative to this. */
  folder: string;
  /** The collection that it is from: the name of its JSONL file or module of several, or of its folder. */
  dataset?: string;
}

interface Raw extends Omit<LoadedTask, 'task'> {
  input: unknown;
}

/** A problem, and the file that has it. */
export interface SourcedProblem extends TaskProblem {
  source: string;
}

/** Tasks that can't be run. The message has all problems as lines for people; `problems` has them for programs. */
export class BadTasks extends WaymarkError {
  readonly problems: readonly SourcedProblem[];

  constructor(message: string, hint: string, problems: readonly SourcedProblem[]) {
    super({ code: 'usage_bad_tasks', message, hint });
    this.problems = problems;
  }
}

/** Of files and folders, and of tasks that a program has at hand; their paths are relative to the working folder. */
export async function loadTasks(places: readonly (string | TaskInput)[]): Promise<LoadedTask[]> {
  const problems: SourcedProblem[] = [];
  const loaded: LoadedTask[] = [];
  const suites = new Suites(problems);
  for (const { input, ...about } of (
    await Promise.all(
      places.map((place, index) =>
        typeof place === 'string'
          ? readPlace(place, problems)
          : [{ input: place, source: `tasks[${index}]`, folder: process.cwd() }],
      ),
    )
  ).flat()) {
    const parsed = parseTask(withDefaults(input, suites.of(about)));
    if (parsed.ok) loaded.push({ task: parsed.task, ...about });
    else problems.push(...parsed.problems.map((problem) => ({ source: about.source, ...problem })));
  }
  const seen = new Map<string, string>();
  for (const { task, source } of loaded) {
    const other = seen.get(task.id);
    if (other !== undefined) {
      const message = `"${task.id}" is also the id of ${other}.`;
      problems.push({ source, path: '$.id', code: 'duplicate_id', message });
    }
    seen.set(task.id, source);
  }
  if (problems.length > 0) {
    const more = problems.length - SHOWN_PROBLEMS;
    const lines = [...problems.slice(0, SHOWN_PROBLEMS).map(lineOf), ...(more > 0 ? [`And ${more} more.`] : [])];
    throw new BadTasks(
      `${counted(problems.length, 'problem')} in the tasks; nothing was run.\n${lines.join('\n')}`,
      'docs/reference/task.md describes every field.',
      problems,
    );
  }
  if (loaded.length === 0) {
    const named = places.filter((place) => typeof place === 'string').join(', ');
    const message = `No task was found in ${named || 'nothing'}.`;
    throw new BadTasks(message, 'Give a task file (.json, .jsonl, .ts) or a folder that holds some.', [
      { source: named || 'tasks', path: '$', code: 'no_tasks', message },
    ]);
  }
  return loaded;
}

/** What the folders of tasks have in common; each file is read once. A task that a program has at hand belongs to none. */
class Suites {
  readonly #problems: SourcedProblem[];
  readonly #known = new Map<string, SuiteDefaults>();

  constructor(problems: SourcedProblem[]) {
    this.#problems = problems;
  }

  of({ folder, dataset }: Pick<LoadedTask, 'folder' | 'dataset'>): SuiteDefaults {
    if (dataset === undefined) return {};
    const known = this.#known.get(folder);
    if (known) return known;
    const read = readSuiteFile(folder);
    if ('problems' in read) {
      const { source, problems } = read;
      this.#problems.push(...problems.map((problem) => ({ source, ...problem })));
    }
    const defaults = 'defaults' in read ? read.defaults : {};
    this.#known.set(folder, defaults);
    return defaults;
  }
}

/** What is wrong with a whole file has no path in it. */
function lineOf({ source, path: at, code, message }: SourcedProblem): string {
  return code === 'unreadable' || code === 'not_json' ? `${source}: ${message}` : `${source}: ${at}: ${message}`;
}

async function readPlace(place: string, problems: SourcedProblem[]): Promise<Raw[]> {
  try {
    if (!statSync(place).isDirectory()) return await readFile(place, problems);
    // Sorted: the order of a folder is not the same everywhere.
    const files = readdirSync(place).filter(
      (name) => /\.task\.(json|ts)$|\.tasks\.jsonl$/.test(name) || (/^[^.]+\.json$/.test(name) && !NO_TASKS.has(name)),
    );
    const read = files.sort().map((name) => readPlace(path.join(place, name), problems));
    return (await Promise.all(read)).flat();
  } catch (error) {
    problems.push({ source: place, path: '$', code: 'unreadable', message: messageOf(error) });
    return [];
  }
}

async function readFile(file: string, problems: SourcedProblem[]): Promise<Raw[]> {
  const folder = path.dirname(file);
  const where = { source: file, folder, dataset: path.basename(path.resolve(folder)) };
  const own = path.basename(file).replace(/(\.tasks?)?\.[a-z]+$/, '');
  if (/\.[cm]?[tj]s$/.test(file)) {
    const module: { default?: unknown } = await import(pathToFileURL(path.resolve(file)).href);
    if (!Array.isArray(module.default)) return [{ ...where, input: module.default }];
    const isOne = module.default.length === 1;
    return module.default.map((input: unknown, index) => ({
      ...where,
      dataset: own,
      source: isOne ? file : `${file}[${index}]`,
      input,
    }));
  }
  const text = readTaskText(file);
  if (!file.endsWith('.jsonl')) return parse(text, where, problems);
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : parse(line, { ...where, dataset: own, source: `${file}:${index + 1}` }, problems),
    );
}

function parse(text: string, where: Omit<Raw, 'input'>, problems: SourcedProblem[]): Raw[] {
  try {
    return [{ ...where, input: JSON.parse(text) }];
  } catch (error) {
    problems.push({ source: where.source, path: '$', code: 'not_json', message: `no JSON: ${messageOf(error)}` });
    return [];
  }
}
