/**
 * The viewer's script and style sheet, which report.html holds. They are bundled from web/: the published package has them in dist/viewer;
 * a checkout bundles them when they are first needed, and keeps them in .waymark/viewer.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface ViewerBundle {
  script: string;
  style: string;
}

let loaded: Promise<ViewerBundle> | undefined;

export function viewerBundle(): Promise<ViewerBundle> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ViewerBundle> {
  const built = path.resolve(import.meta.dirname, '../../viewer');
  const folder = existsSync(built) ? built : await bundled();
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  return { script: inScript(read('viewer.js')), style: read('viewer.css') };
}

async function bundled(): Promise<string> {
  const sources = path.resolve(import.meta.dirname, '../../../scripts/build-web.ts');
  const { cachedViewer } = (await import(pathToFileURL(sources).href)) as { cachedViewer: () => Promise<string> };
  return cachedViewer();
}

/** These stand in texts only, where an escape means the same; as they are, they would end the script element, or begin something in it. */
function inScript(code: string): string {
  return code.replaceAll(/<(?=\/?script)/gi, '\\x3C').replaceAll('<!--', '\\x3C!--');
}
