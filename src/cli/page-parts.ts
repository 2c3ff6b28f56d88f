/**
 * The in-page script and what belongs to it. They are built apart from src/: in the published package they lie ready in dist/page; in a
 * checkout they are the sources in page/, and the script is bundled when it is asked for.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageParts } from '../server/index.ts';
import { packageRoot } from './version.ts';

/** What the commands use of page/parts.ts. */
export interface ScriptParts extends PageParts {
  readonly MAX_BOOKMARKLET: number;
  readonly runtimePack: (made: object, choice: object) => object;
  readonly rawScript: (pack: object, runtime: string) => string;
  /** Undefined when it would be too long for some browser. */
  readonly bookmarklet: (pack: object, runtime: string) => string | undefined;
  readonly bookmarkletLength: (pack: object, runtime: string) => number;
  readonly bookmarkletLoader: (runtime: string) => string;
  readonly packFile: (pack: object) => string;
}

// Beside this file when it is built; `packageRoot` would not tell, because a checkout may have been built as well.
const built = path.resolve(import.meta.dirname, '../page');
const sources = path.join(packageRoot, 'page');

export async function pageParts(): Promise<ScriptParts | undefined> {
  const file = [path.join(built, 'parts.js'), path.join(sources, 'parts.ts')].find((one) => existsSync(one));
  return file === undefined ? undefined : load<ScriptParts>(file);
}

/** The text of the script, without a pack. */
export async function pageRuntime(): Promise<string> {
  const file = path.join(built, 'runtime.js');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const { buildRuntime } = await load<{ buildRuntime: () => Promise<string> }>(path.join(sources, 'build.ts'));
  return buildRuntime();
}

async function load<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(file).href)) as T;
}
