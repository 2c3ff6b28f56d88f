/** Writes imported tasks into a folder: all of it, or nothing. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { SUITE_FILE } from '../tasks/suite-file.ts';
import type { ImportedSource } from './imported-source.ts';

/** @returns the names of the files of tasks, and `suite.json`. */
export function writeSuite(folder: string, { tasks, source, files }: ImportedSource): string[] {
  if (tasks.length === 0) return [];
  const about = `Imported by waymark import from ${source.file} (${source.format}, SHA-256 ${source.sha256}).`;
  const contents = new Map<string, string | Buffer>([
    [SUITE_FILE, jsonOf({ about })],
    ...tasks.map(({ task }): [string, string] => [`${task.id}.task.json`, jsonOf(task)]),
  ]);
  const all = new Map([...contents, ...files]);
  const there = [...all.keys()].find((name) => existsSync(path.join(folder, name)));
  if (there !== undefined)
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `${path.join(folder, there)} already exists.`,
      hint: 'Choose another folder with --out.',
    });
  writeAll(folder, all);
  return [...contents.keys()];
}

/** What was written is removed again where a later file can't be. */
function writeAll(folder: string, contents: ReadonlyMap<string, string | Buffer>): void {
  const written: string[] = [];
  try {
    for (const [name, content] of contents) {
      const file = path.join(folder, name);
      const made = mkdirSync(path.dirname(file), { recursive: true });
      if (made !== undefined) written.push(made);
      writeFileSync(file, content, { flag: 'wx' });
      written.push(file);
    }
  } catch (error) {
    for (const one of written.reverse()) rmSync(one, { recursive: true, force: true });
    throw error;
  }
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
