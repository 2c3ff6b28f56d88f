/**
 * The in-page script and its helpers. They are built separately from src/: the published package has them in dist/page; in a
 * checkout they are the sources in page/, and the script is bundled on demand.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageParts } from '../server/index.ts';
import { packageRoot } from './version.ts';

/** The part of page/parts.ts that the commands use. */
export interface ScriptParts extends PageParts {
  readonly MAX_BOOKMARKLET: number;
  readonly runtimePack: (made: object, choice: object) => object;
  readonly rawScript: (pack: object, runtime: string) => string;
  /** Undefined if it would be too long for some browsers. */
  readonly bookmarklet: (pack: object, runtime: string) => string | undefined;
  readonly bookmarkletLength: (pack: object, runtime: string) => number;
  readonly bookmarkletLoader: (runtime: string) => string;
  readonly packFile: (pack: object) => string;
}

// Relative to this file: only the built file has it. `packageRoot` would be ambiguous, because a checkout may have a build too.
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
