/** A folder of MiniWoB++ (`miniwob/html` of its repository): a row for each page and seed, and all files that pages may need. */
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import type { Row } from '../rows/row.ts';
import { hashOfFiles, isFolder, readFiles, type Source } from './read-source.ts';

const PAGE = /^(?:miniwob\/[^/]+|flight\/[^/]+\/wrapper)\.html$/;

export interface MiniwobSource extends Source {
  readonly files: ReadonlyMap<string, Buffer>;
  /** The pages of tasks, in order. */
  readonly pages: readonly string[];
}

export function readMiniwob(place: string, seeds: readonly number[]): MiniwobSource {
  if (!isFolder(place)) throw wrongFolder(`${place} is a file.`);
  const files = readFiles(place, namesIn(place));
  const pages = [...files.keys()].filter((name) => PAGE.test(name));
  if (!files.has('core/core.js') || pages.length === 0)
    throw wrongFolder(`${place} has no core/core.js, or no page in miniwob/.`);
  const rows = pages.flatMap((page) => seeds.map((seed) => miniwobRow(files, page, seed)));
  return { file: path.basename(path.resolve(place)), sha256: hashOfFiles(files), rows, files, pages };
}

export function miniwobRow(files: ReadonlyMap<string, Buffer>, page: string, seed: number): Row {
  return { place: page, value: { path: page, html: files.get(page)?.toString('utf8') ?? '', seed } };
}

/** Paths with `/`, whatever the system writes. Links are refused: they could lead anywhere. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry: Dirent) => {
    if (entry.isDirectory()) return [];
    const name = path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    if (!entry.isFile()) throw wrongFolder(`${name} is no ordinary file.`);
    return [name];
  });
}

function wrongFolder(message: string): WaymarkError {
  const hint = 'Give the folder that holds core/ and miniwob/: miniwob/html in the repository of MiniWoB++.';
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
