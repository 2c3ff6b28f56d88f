/** The suites and variants that a server offers: what is in the folders that it was told about, by name. A request names them, and never a path. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { templatesIn } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { readVariant } from '../variant-file.ts';

export interface OfferedSuite {
  name: string;
  folder: string;
  /** A folder of templates makes its tasks from seeds. */
  kind: 'tasks' | 'templates';
  /** Files of tasks; of templates it is not known before they are made. */
  files: number | null;
}

export interface OfferedVariant {
  name: string;
  file: string;
  agent: string;
  /** Null: the embedded tools. */
  server: string | null;
  /** Why it can't be used. */
  problem: string | null;
}

const TASK_FILE = /\.task\.(?:json|ts)$|\.tasks\.jsonl$/;

/** Each folder is a suite, or has suites in it. A name that is taken already gets a number. */
export function offeredSuites(folders: readonly string[]): OfferedSuite[] {
  const found = folders.flatMap((folder) => {
    const own = suiteIn(folder);
    return own ? [own] : foldersIn(folder).flatMap((inner) => suiteIn(inner) ?? []);
  });
  return withNames(found.filter(({ folder }, index) => found.findIndex((one) => one.folder === folder) === index));
}

function suiteIn(folder: string): OfferedSuite | undefined {
  const name = path.basename(folder);
  if (templatesIn(folder)) return { name, folder, kind: 'templates', files: null };
  const files = namesIn(folder).filter((file) => TASK_FILE.test(file)).length;
  return files === 0 ? undefined : { name, folder, kind: 'tasks', files };
}

export function offeredVariants(
  folders: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): OfferedVariant[] {
  const files = folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(folder, name)),
  );
  return withNames([...new Set(files)].map((file) => variantIn(file, env)));
}

function variantIn(file: string, env: Readonly<Record<string, string | undefined>>): OfferedVariant {
  const name = path.basename(file).replace(/(?:\.variant)?\.json$/, '');
  try {
    const { agent, server, model } = readVariant(file, env);
    const serverName = typeof server === 'object' ? server.server : (server ?? null);
    const kind = typeof agent === 'string' ? agent : model === undefined ? 'scripted' : 'single';
    return { name, file, agent: kind, server: serverName, problem: null };
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    return { name, file, agent: '', server: null, problem: error.message };
  }
}

function withNames<T extends { name: string }>(all: readonly T[]): T[] {
  const taken = new Map<string, number>();
  return all.map((one) => {
    const count = (taken.get(one.name) ?? 0) + 1;
    taken.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : [];
}

function foldersIn(folder: string): string[] {
  return namesIn(folder)
    .map((name) => path.join(folder, name))
    .filter(isFolder);
}

function isFolder(place: string): boolean {
  return existsSync(place) && statSync(place).isDirectory();
}
