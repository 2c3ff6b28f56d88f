/** A machine whose own Node is too old for Waymark, with a checkout in `~/waymark`: a home folder, and the environment of a shell in it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainEnvironment } from '../repository/run-process.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface OldNodeMachine extends Disposable {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

export function oldNodeMachine(): OldNodeMachine {
  const home = mkdtempSync(path.join(tmpdir(), 'wm-home-'));
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(root, path.join(home, 'waymark'));
  // Without the folders in which npx has the Node of the project.
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((one) => !one.includes('node_modules'));
  const own = folders.map((one) => path.join(one, 'node')).find(existsSync) ?? process.execPath;
  const isOld = Number.parseInt(execFileSync(own, ['--version'], { encoding: 'utf8' }).slice(1), 10) < 24;
  if (isOld) symlinkSync(own, path.join(bin, 'node'));
  else {
    // As Node 20 does it: npm runs, TypeScript does not.
    const refusal = 'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts"';
    writeFileSync(
      path.join(bin, 'node'),
      `#!/bin/sh\ncase "$1" in\n--version) echo v20.0.0; exit 0;;\n*.ts) echo '${refusal}' >&2; exit 1;;\nesac\nexec "${own}" "$@"\n`,
    );
    chmodSync(path.join(bin, 'node'), 0o755);
  }
  return {
    home,
    env: plainEnvironment({ HOME: home, PATH: [bin, ...folders].join(path.delimiter), NO_COLOR: '1' }),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}
