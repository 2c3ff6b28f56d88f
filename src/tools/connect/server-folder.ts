/**
 * A fresh folder for each server process: its working folder, its HOME and its temporary files. Servers write logs, pictures and profiles.
 * The folder's random name is also how stray processes are known: those that left the server's group (chrome-devtools-mcp starts `npm view`
 * that way, seen), and those that a harness ended by kill -9 has left.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../../chromium/index.ts';

const NAME = /^(\d+)-[0-9a-f]{16}$/;

export class ServerFolder {
  readonly home: string;
  readonly temporary: string;
  readonly work: string;
  readonly #folder: string;

  constructor(parent: string = path.join(stateFolder(), 'servers')) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    sweepOnce(parent);
    this.#folder = path.join(parent, `${process.pid}-${randomBytes(8).toString('hex')}`);
    this.home = path.join(this.#folder, 'home');
    this.temporary = path.join(this.#folder, 'tmp');
    this.work = path.join(this.#folder, 'work');
    for (const folder of [this.home, this.temporary, this.work]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Ends what still lives in it, and removes it. */
  remove(): void {
    endThoseOf(this.#folder);
    removeFolder(this.#folder);
  }
}

const swept = new Set<string>();

function sweepOnce(parent: string): void {
  if (swept.has(parent)) return;
  swept.add(parent);
  sweepServerFolders(parent);
}

/** Ends and removes what harness processes that are gone have left. Gives the names of the folders that it removed. */
export function sweepServerFolders(parent: string): string[] {
  return readdirSync(parent).filter((name) => {
    const owner = Number(NAME.exec(name)?.[1]);
    if (!Number.isInteger(owner) || exists(owner)) return false;
    const folder = path.join(parent, name);
    endThoseOf(folder);
    try {
      removeFolder(folder);
      return true;
    } catch {
      // Something still writes into it; the next start tries again.
      return false;
    }
  });
}

function removeFolder(folder: string): void {
  // A process that is just ending may still write: a few tries, by the file system's own retry.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Processes that work in the folder or have it as their HOME. Where the system does not tell (it is not Linux), none. */
function endThoseOf(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    if (pid === process.pid || !belongsTo(pid, folder)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone already
    }
  }
}

function belongsTo(pid: number, folder: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}${path.sep}`)) return true;
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .includes(`HOME=${path.join(folder, 'home')}`);
  } catch {
    // gone already, or another user's
    return false;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
