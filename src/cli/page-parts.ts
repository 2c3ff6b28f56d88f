/** The presets and selector checks of the in-page script. They are built apart from src/, so that they are looked for when they are needed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PageParts } from '../server/index.ts';
import { packageRoot } from './version.ts';

export async function pageParts(): Promise<PageParts | undefined> {
  const [presets, selectors] = ['presets.ts', 'selectors.ts'].map((name) => path.join(packageRoot, 'page', name));
  if (!presets || !selectors || !existsSync(presets) || !existsSync(selectors)) return undefined;
  const load = async <T>(file: string) => (await import(pathToFileURL(file).href)) as T;
  return {
    ...(await load<Pick<PageParts, 'presets'>>(presets)),
    ...(await load<Pick<PageParts, 'validateSelectors'>>(selectors)),
  };
}
