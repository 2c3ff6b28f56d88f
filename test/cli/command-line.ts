/** Runs a command line in this process, in a given folder. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommandLine } from '../../src/cli/run.ts';

export async function waymark(args: readonly string[], cwd: string = tmpdir()) {
  let out = '';
  let err = '';
  const code = await runCommandLine(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    paint: (_, text) => text,
    env: process.env,
    cwd,
  });
  return { code, out, err };
}

export interface Folder extends Disposable {
  path: string;
}

/** A temporary folder, removed at the end of the block. `from`: a folder to copy. */
export function temporaryFolder(from?: string): Folder {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-cli-'));
  if (from !== undefined) cpSync(from, folder, { recursive: true });
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export type Line = Record<string, unknown> & { type: string };

/** Changes one event of a journal in place: the first one for which `fits` is true. */
export function tamper(journal: string, fits: (event: Line) => boolean, change: (event: Line) => unknown): number {
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const at = lines.findIndex((line) => fits(JSON.parse(line) as Line));
  if (at < 0) throw new Error('No event fits.');
  const event = JSON.parse(lines[at] ?? '') as Line;
  lines[at] = JSON.stringify(change(event) ?? event);
  writeFileSync(journal, `${lines.join('\n')}\n`);
  return at;
}
