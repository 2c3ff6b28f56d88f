/**
 * A fresh folder for each server process: its working folder, its HOME and its temporary files. Servers write logs, pictures and profiles.
 * The folder's random name is also how stray processes are known: those that left the server's group (chrome-devtools-mcp starts `npm view`
 * that way, seen), and those that a harness ended by kill -9 has left.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../../chromium/index.ts';

const NAME = /^(\d+)-[0-9a-f]{8,16}$/;
/**
 * Bytes of the path of a server's temporary folder. A socket's whole path has 103 to 107 of them, and @playwright/mcp puts sockets some
 * 43 bytes below: where its folder is deeper, its first call fails.
 */
const MAX_TEMPORARY = 60;
const LONGEST_NAME = '/4194304-01234567/tmp'.length;

export class ServerFolder {
  readonly home: string;
  readonly temporary: string;
  readonly work: string;
  readonly #folder: string;

  constructor(parent: string = serversFolder()) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    sweepOnce(parent);
    this.#folder = path.join(parent, `${process.pid}-${randomBytes(4).toString('hex')}`);
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

/** In the state folder; where that lies too deep for sockets, in the system's own short one. */
export function serversFolder(state: string = stateFolder()): string {
  const wanted = path.join(state, 'servers');
  const uid = process.getuid?.();
  if (uid === undefined || Buffer.byteLength(wanted) + LONGEST_NAME <= MAX_TEMPORARY) return wanted;
  const short = `/tmp/wm-servers-${uid}`;
  try {
    mkdirSync(short, { recursive: true, mode: 0o700 });
    const found = lstatSync(short);
    // Everybody writes to /tmp: somebody else could have made it first, or have put a link there.
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return short;
  } catch {
    // There is no /tmp here; most servers need no socket.
  }
  return wanted;
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
