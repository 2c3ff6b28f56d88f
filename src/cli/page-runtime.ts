/**
 * The text of the in-page script, without a pack. It is bundled apart from src/: the published package has it in dist/page; a checkout
 * bundles the sources in page/ when it is needed.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './version.ts';

export async function pageRuntime(): Promise<string> {
  // Beside this file when it is built; `packageRoot` would not tell, because a checkout may have been built as well.
  const built = path.resolve(import.meta.dirname, '../page/runtime.js');
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const sources = pathToFileURL(path.join(packageRoot, 'page', 'build.ts')).href;
  const { buildRuntime } = (await import(sources)) as { buildRuntime: () => Promise<string> };
  return buildRuntime();
}
