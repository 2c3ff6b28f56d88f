/**
 * A fresh folder for each foreign process (a tool server, an external agent): its working folder, its HOME and its temporary files. Such
 * programs write logs, pictures, settings and profiles. The folder's random name also identifies stray processes: those that left the
 * group of the process (chrome-devtools-mcp starts `npm view` that way, seen), and those of a harness that was ended by kill -9.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../../chromium/index.ts';
import { findExecutable } from './find-executable.ts';

const NAME = /^(\d+)-[0-9a-f]{8,16}$/;
/**
 * Bytes of the path of a server's temporary folder. A socket's whole path has 103 to 107 of them, and @playwright/mcp puts sockets some
 * 43 bytes below: where its folder is deeper, its first call fails.
 */
const MAX_TEMPORARY = 60;
const LONGEST_NAME = '/4194304-01234567/tmp'.length;

export class ProcessFolder {
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

  /**
   * The command with a mark of this folder: a limit of the size of files that no program reaches. All descendants of a process inherit it,
   * whatever they do to their environment, working folder and parents, and /proc shows it.
   */
  marked(command: readonly [string, ...string[]]): [string, ...string[]] {
    const isFound = findExecutable(command[0], { PATH: process.env['PATH'], folder: this.work }) !== undefined;
    // A program that does not exist must fail as such.
    if (process.platform !== 'linux' || !isFound) return [...command];
    return ['/bin/sh', '-c', MARK_AND_RUN, String(markOf(this.#folder)), ...command];
  }

  /** Ends the processes that still use the folder, and waits for their end. */
  async endProcesses(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    // A process that is just being started can't be read: nothing must be found twice.
    for (let clean = 0; clean < 2 && performance.now() < deadline; ) {
      clean = endThoseOf(this.#folder) === 0 ? clean + 1 : 0;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Ends the processes that still use the folder, and removes it. */
  remove(): void {
    endThoseOf(this.#folder);
    removeFolder(this.#folder);
  }
}

/** Creates the folder in the state folder, or in /tmp where the path of the state folder is too long for sockets. */
export function serversFolder(state: string = stateFolder()): string {
  const wanted = path.join(state, 'servers');
  const uid = process.getuid?.();
  if (uid === undefined || Buffer.byteLength(wanted) + LONGEST_NAME <= MAX_TEMPORARY) return wanted;
  const short = `/tmp/wm-servers-${uid}`;
  try {
    mkdirSync(short, { recursive: true, mode: 0o700 });
    const found = lstatSync(short);
    // All users can write to /tmp, so another user could have created the folder or a link in its place.
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return short;
  } catch {
    // There is no /tmp on this system; most servers need no socket.
  }
  return wanted;
}

const swept = new Set<string>();

function sweepOnce(parent: string): void {
  if (swept.has(parent)) return;
  swept.add(parent);
  sweepServerFolders(parent);
}

/** What servers of killed runs have left, ended and removed: the names of their folders. */
export function reapServers(state: string = stateFolder()): string[] {
  const parent = serversFolder(state);
  return existsSync(parent) ? sweepServerFolders(parent) : [];
}

/** Ends the processes and removes the folders that earlier harness processes have left. Returns the names of the removed folders. */
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
      // A process still writes into it; the next start tries again.
      return false;
    }
  });
}

function removeFolder(folder: string): void {
  // An ending process may still write to the folder, so `rm` retries a few times.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Processes that carry the folder's mark, or whose working folder or HOME is the folder. Gives their number: none on systems other than Linux, which do not report it. */
function endThoseOf(folder: string): number {
  if (process.platform !== 'linux') return 0;
  const found = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && belongsTo(pid, folder));
  for (const pid of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
  return found.length;
}

/** The shell replaces itself by the program, so that the process keeps its id. */
const MARK_AND_RUN = 'ulimit -S -f "$0" 2>/dev/null; exec "$@"';

/** In blocks of 512 bytes: more than 500 TB, and different for each folder. */
function markOf(folder: string): number {
  return 2 ** 40 + Number.parseInt(path.basename(folder).split('-')[1]?.slice(0, 8) ?? '0', 16);
}

function belongsTo(pid: number, folder: string): boolean {
  try {
    if (readFileSync(`/proc/${pid}/limits`, 'utf8').includes(` ${markOf(folder) * 512} `)) return true;
    if (readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}${path.sep}`)) return true;
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .includes(`HOME=${path.join(folder, 'home')}`);
  } catch {
    // The process has ended already, or it belongs to another user.
    return false;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
