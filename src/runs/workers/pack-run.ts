/** Puts the package of a run among the artifacts. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { LoadedTask } from '../../cases/index.ts';
import type { Artifacts } from '../../store/index.ts';
import type { TaskChoices, TaskRun } from '../resolve-tasks.ts';
import type { RunPackage } from './run-package.ts';
import { graderFiles, suiteFiles } from './suite-files.ts';
import { travellingChoices } from './travelling-choices.ts';

/** Uploads at a time. */
const AT_ONCE = 8;

/** @returns the key of the package. */
export async function packRun(run: TaskRun, choices: TaskChoices, artifacts: Artifacts): Promise<string> {
  const tasks = [...run.tasks.values()];
  const graders = graderFiles(choices.grading ?? { folder: '.' });
  const files = suiteFiles(run.places, tasks, graders);
  const graderFolder = graders.length === 0 ? undefined : path.resolve(choices.grading?.folder ?? '.');
  // The folder is enough: fixtures are looked for in it, and tasks are not read again.
  const places = run.places.map((place) => path.resolve(statSync(place).isDirectory() ? place : path.dirname(place)));
  const folders = [...files.map((file) => path.dirname(file)), ...tasks.map(({ folder }) => path.resolve(folder))];
  const root = commonFolder([...folders, ...places, ...(graderFolder === undefined ? [] : [graderFolder])]);
  const within = (full: string): string => path.relative(root, full).split(path.sep).join('/') || '.';
  const kept: RunPackage['files'] = [];
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE).map(async (file) => {
      const { sha256, bytes } = await artifacts.putContent(readFileSync(file));
      return { path: within(file), sha256, bytes };
    });
    kept.push(...(await Promise.all(some)));
  }
  const content: RunPackage = {
    format: 'waymark.run-package.v1',
    choices: withRelativeGraders(travellingChoices(choices), graderFolder),
    tasks: tasks.map((loaded) => packed(loaded, within)),
    ...(graderFolder === undefined ? {} : { graderFolder: within(graderFolder) }),
    places: [...new Set(places.map(within))],
    files: kept,
  };
  return (await artifacts.putContent(JSON.stringify(content), 'json')).key;
}

/** A file that was named by its whole path is looked for beside the others where it arrives. */
function withRelativeGraders(choices: Record<string, unknown>, folder: string | undefined): Record<string, unknown> {
  if (folder === undefined) return choices;
  const { graders, ...grading } = choices['grading'] as { graders: readonly string[] };
  const relative = graders.map((given) => (path.isAbsolute(given) ? path.relative(folder, given) : given));
  return { ...choices, grading: { ...grading, graders: relative } };
}

function packed(
  { task, source, folder, dataset }: LoadedTask,
  within: (full: string) => string,
): RunPackage['tasks'][number] {
  const about = { task, source: path.basename(source), folder: within(path.resolve(folder)) };
  return dataset === undefined ? about : { ...about, dataset };
}

/** The innermost folder that all of them are in. */
function commonFolder(folders: readonly string[]): string {
  const [first = path.resolve('.'), ...others] = folders;
  let common = first.split(path.sep);
  for (const other of others) {
    const parts = other.split(path.sep);
    const end = common.findIndex((part, index) => part !== parts[index]);
    if (end >= 0) common = common.slice(0, end);
  }
  return common.join(path.sep) || path.sep;
}
