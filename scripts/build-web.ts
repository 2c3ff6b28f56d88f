/**
 * Builds the web app, and the viewer that report.html holds. Vite takes seconds, so its output is cached in .waymark/ under a hash of all inputs.
 * `node scripts/build-web.ts` puts it into dist/web, where `waymark serve` looks for it; `npm run serve` takes it from the cache.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import layers from '../module-layers.json' with { type: 'json' };

const root = path.dirname(import.meta.dirname);
const cache = path.join(root, '.waymark');
/** The files of src/ that a page may run, by the rules in .dependency-cruiser.cjs, with what those files import. */
const PURE_SOURCES = [...layers.pure, ...Object.keys(layers.entries)].map((name) => `src/${name}`);
/** The inputs of the bundle; node_modules is represented by its lock file. */
const SOURCES = ['web', 'page', ...PURE_SOURCES, 'package-lock.json', 'scripts/build-web.ts'];

/** The folder with the app for the current sources, built if it is missing. */
export function cachedWeb(): Promise<string> {
  return cachedBuild('web', 'vite.config.ts');
}

/** The folder with the viewer's script and style sheet for the current sources, built if it is missing. */
export function cachedViewer(): Promise<string> {
  return cachedBuild('viewer', 'vite.report.config.ts');
}

/** Two processes may build at once: each renames a complete folder into place. */
async function cachedBuild(name: string, config: string): Promise<string> {
  const folder = path.join(cache, name, hashOf(SOURCES));
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  const outDir = mkdtempSync(path.join(cache, name, 'building-'));
  try {
    // Loaded only to build: it takes longer to load than a server to start.
    const { build } = await import('vite');
    await inProduction(() => build({ configFile: path.join(root, 'web', config), build: { outDir } }));
    try {
      renameSync(outDir, folder);
    } catch (thrown) {
      if (!existsSync(folder)) throw thrown;
    }
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
  return folder;
}

/** Without this, Vite would use the NODE_ENV of a test, and the app would contain React's development build. */
async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

/** @returns the folder in `dist`. */
export async function buildWeb(dist: string): Promise<string> {
  copyInto(path.join(dist, 'viewer'), await cachedViewer());
  return copyInto(path.join(dist, 'web'), await cachedWeb());
}

function copyInto(folder: string, built: string): string {
  rmSync(folder, { recursive: true, force: true });
  cpSync(built, folder, { recursive: true });
  return folder;
}

function hashOf(places: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of places.flatMap(filesIn)) hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 20);
}

function filesIn(place: string): string[] {
  const entries = readdirSync(path.dirname(path.join(root, place)), { withFileTypes: true });
  if (!entries.find(({ name }) => name === path.basename(place))?.isDirectory()) return [place];
  return (
    readdirSync(path.join(root, place))
      // page/dist is generated from the rest.
      .filter((name) => name !== 'dist')
      .sort()
      .flatMap((name) => filesIn(path.posix.join(place, name)))
  );
}

/** Name, size and compressed size of every file, largest first. */
export function webSizes(folder: string): { file: string; bytes: number; gzip: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const content = readFileSync(file);
      return { file: path.relative(folder, file), bytes: content.length, gzip: gzipSync(content).length };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

if (import.meta.main) {
  const sizes = webSizes(await buildWeb(path.join(root, 'dist')));
  for (const { file, bytes, gzip } of sizes) {
    console.log(`${file.padEnd(48)} ${String(bytes).padStart(8)} bytes, gzip ${String(gzip).padStart(7)}`);
  }
  const sum = (of: 'bytes' | 'gzip') => sizes.reduce((total, size) => total + size[of], 0);
  console.log(
    `${'web app'.padEnd(48)} ${String(sum('bytes')).padStart(8)} bytes, gzip ${String(sum('gzip')).padStart(7)}`,
  );
}
