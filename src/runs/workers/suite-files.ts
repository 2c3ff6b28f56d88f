/**
 * The files of a suite that workers need: the folders that were named, the files that tasks name, and the modules that fixtures and graders
 * import by a relative path. Packages of npm do not travel.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GraderSpec, LoadedTask } from '../../cases/index.ts';
import { factsNeeded } from '../../contracts/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { GraderChoices } from '../graders/grader-choices.ts';
import { isSpecFile, readSpec } from '../graders/grader-spec-file.ts';

const MOST_FILES = 5_000;
const MOST_BYTES = 100 * 1024 * 1024;
const CODE = /\.[cm]?[jt]s$/;
const FIXTURES = ['fixture.ts', 'fixture.mjs', 'fixture.js'];

/** Absolute paths, each once. @throws where they are too many: then the folder is not one of a suite. */
export function suiteFiles(
  places: readonly string[],
  tasks: readonly LoadedTask[],
  graders: readonly string[] = [],
): string[] {
  const found = new Files();
  for (const place of places.map((given) => path.resolve(given))) {
    if (statSync(place).isDirectory()) found.addFolder(place);
    else for (const name of FIXTURES) found.add(path.join(path.dirname(place), name));
  }
  for (const task of tasks) for (const file of namedBy(task)) found.add(file);
  for (const file of graders) found.add(file);
  return found.list();
}

function namedBy({ task, folder }: LoadedTask): string[] {
  const recording = task.network?.mode === 'replay' ? [task.network.recording] : [];
  const modules = (task.graders ?? []).flatMap(filesOfGrader);
  const classes = factsNeeded(task.success).exemplars.map((id) =>
    path.join('exemplars', path.basename(id), 'exemplars.json'),
  );
  return [...(task.oracle === undefined ? [] : [task.oracle]), ...recording, ...modules, ...classes].map((name) =>
    path.resolve(folder, name),
  );
}

/** The module of a grader, or the program and files of its command; what is no file is a word. */
function filesOfGrader(spec: GraderSpec): string[] {
  if (spec.grader === 'module') return [spec.file];
  return spec.grader === 'command' ? [...spec.command] : [];
}

/** Of graders that were chosen for the run: their own files, and those that their settings name. Absolute; names of graders are left out. */
export function graderFiles({ graders = [], folder }: GraderChoices): string[] {
  const given = graders.filter((one) => typeof one === 'string').filter((one) => CODE.test(one) || isSpecFile(one));
  const files = given.flatMap((one) =>
    isSpecFile(one) ? [one, ...filesOfGrader(readSpec(path.resolve(folder, one)))] : [one],
  );
  return files.map((one) => path.resolve(folder, one));
}

class Files {
  readonly #files = new Set<string>();
  #bytes = 0;

  /** With what it imports. A missing file is reported by the part that needs it. */
  add(file: string): void {
    if (this.#files.has(file) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return;
    this.#files.add(file);
    this.#bytes += statSync(file).size;
    if (this.#files.size > MOST_FILES || this.#bytes > MOST_BYTES) throw tooMuch(file);
    if (CODE.test(file)) for (const imported of importsOf(file)) this.add(imported);
  }

  addFolder(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      // Hidden files are settings of the machine; symbolic links may lead anywhere.
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) this.addFolder(full);
      else if (entry.isFile()) this.add(full);
    }
  }

  list(): string[] {
    return [...this.#files].sort();
  }
}

/** By a relative path, as they are written in the module. */
function importsOf(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...names].map(([, name = '']) => path.resolve(path.dirname(file), name)).filter((full) => CODE.test(full));
}

function tooMuch(file: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_suite_too_large',
    message: `The suite is too large to travel to workers: with ${file}, it has more than ${MOST_FILES.toLocaleString('en')} files or ${MOST_BYTES / 1024 / 1024} MB. Nothing was run.`,
    hint: 'All files in the folders of the tasks travel. Keep the tasks in a folder of their own, or name the task files themselves.',
  });
}
