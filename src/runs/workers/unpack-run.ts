/** Makes a run of its package: files into a folder of this worker, choices and tasks as `resolveRun` takes them. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type LoadedTask, parseTask } from '../../cases/index.ts';
import { findingsOf, WaymarkError } from '../../errors/index.ts';
import type { Artifacts } from '../../store/index.ts';
import type { TaskChoices } from '../resolve-tasks.ts';
import { type RunPackage, runPackageSchema } from './run-package.ts';

export interface UnpackedRun {
  /** Without what is the worker's own: environment, version, concurrency. */
  readonly choices: Partial<TaskChoices>;
  readonly tasks: readonly LoadedTask[];
  readonly places: readonly string[];
}

export async function unpackRun(key: string, artifacts: Artifacts, folder: string): Promise<UnpackedRun> {
  const content = packageIn(key, await contentOf(artifacts, key));
  for (const { path: name, sha256 } of content.files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, await contentOf(artifacts, `sha256/${sha256.slice(0, 2)}/${sha256}`));
  }
  // A suite whose folder has no files of its own has one all the same; graders run in theirs.
  mkdirSync(path.join(folder, content.graderFolder ?? '.'), { recursive: true });
  const { grading } = content.choices;
  return {
    choices: {
      ...(content.choices as Partial<TaskChoices>),
      ...(grading === undefined
        ? {}
        : { grading: { ...Object(grading), folder: path.join(folder, content.graderFolder ?? '.') } }),
    },
    tasks: content.tasks.map((one) => taskIn(key, one, folder)),
    places: content.places.map((place) => path.join(folder, place)),
  };
}

function packageIn(key: string, bytes: Uint8Array): RunPackage {
  const parsed = runPackageSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw bad(`The package ${key} is not one of this version: ${findingsOf(parsed.error).slice(0, 3).join('; ')}.`);
}

function taskIn(key: string, { task, folder, ...about }: RunPackage['tasks'][number], root: string): LoadedTask {
  const parsed = parseTask(task);
  if (!parsed.ok)
    throw bad(
      `The package ${key} has a task that is not one: ${parsed.problems.map(({ message }) => message).join('; ')}`,
    );
  const { source, dataset } = about;
  return { task: parsed.task, source, folder: path.join(root, folder), ...(dataset === undefined ? {} : { dataset }) };
}

/** The name of an artifact says what is in it: another content is a damaged or a foreign one. */
async function contentOf(artifacts: Artifacts, key: string): Promise<Uint8Array> {
  const bytes = await buffer(await artifacts.get(key));
  const [, , name = ''] = key.split('/');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (name.startsWith(sha256)) return bytes;
  throw bad(`The artifact ${key} has another content than its name says (${sha256}).`);
}

function bad(message: string): WaymarkError {
  return new WaymarkError({
    code: 'run_package_bad',
    message,
    hint: 'Look for what has changed the artifacts, and make the run again.',
  });
}
