/**
 * The registry of the browsers that the harness started: one file per browser, written before it starts and removed after it has ended.
 * After a crash or a kill -9 of the harness, the next start reads it and ends exactly these browsers.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';
import { type ProcessFacts, processesWith, processFacts } from './process-table.ts';

export const STATE_VARIABLE = 'WAYMARK_STATE_DIR';

const Owner = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
const Entry = z.object({
  profile: z.string().min(1),
  owner: Owner,
  /** Undefined from the first write of the entry until the browser has started. */
  browser: Owner.optional(),
});
type Entry = z.infer<typeof Entry>;

/** Used where the system does not report when a process started. */
const UNKNOWN = 'unknown';
const NAME = /^([0-9a-f]{16})\.json$/;

export interface Reaped {
  profile: string;
  /** The processes that were ended; empty when only the folder was left. */
  pids: number[];
}

/** The folder of the harness's temporary state. Only the user can read it (0700), because profiles hold cookies. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const uid = process.getuid?.();
  const folder = path.resolve(env[STATE_VARIABLE] || path.join(tmpdir(), `waymark-${uid ?? 'user'}`));
  mkdirSync(path.join(folder, 'profiles'), { recursive: true, mode: 0o700 });
  mkdirSync(path.join(folder, 'ledger'), { recursive: true, mode: 0o700 });
  // All users can write to the temporary folder, so another user could have created this folder first.
  if (uid !== undefined && statSync(folder).uid !== uid) {
    throw new WaymarkError({
      code: 'state_folder_foreign',
      message: `${folder} belongs to another user.`,
      hint: `Set ${STATE_VARIABLE} to a folder of your own.`,
    });
  }
  return folder;
}

/** Writes the entry for a browser that is about to start. */
export class ProcessEntry {
  readonly profile: string;
  readonly #file: string;
  readonly #owner: z.infer<typeof Owner>;

  constructor(folder: string = stateFolder()) {
    const name = randomBytes(8).toString('hex');
    this.profile = path.join(folder, 'profiles', name);
    this.#file = path.join(folder, 'ledger', `${name}.json`);
    this.#owner = { pid: process.pid, startedAt: processFacts(process.pid)?.startedAt ?? UNKNOWN };
    this.#write(undefined);
    mkdirSync(this.profile, { mode: 0o700 });
  }

  started(pid: number): void {
    this.#write({ pid, startedAt: processFacts(pid)?.startedAt ?? UNKNOWN });
  }

  /** Call it when the browser has ended. It removes the profile and then the entry, in this order, so that a crash in between leaves the entry. */
  ended(): void {
    removeFolder(this.profile);
    rmSync(this.#file, { force: true });
  }

  #write(browser: z.infer<typeof Owner> | undefined): void {
    const entry: Entry = { profile: this.profile, owner: this.#owner, ...(browser ? { browser } : {}) };
    writeFileSync(`${this.#file}.new`, JSON.stringify(entry), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Ends the browsers of harness processes that are gone, and removes their profiles. */
export function reapOrphans(folder: string = stateFolder()): Reaped[] {
  const reaped: Reaped[] = [];
  const ledger = path.join(folder, 'ledger');
  for (const fileName of readdirSync(ledger)) {
    const file = path.join(ledger, fileName);
    const name = NAME.exec(fileName)?.[1];
    const entry = name === undefined ? undefined : readEntry(file);
    if (!entry) {
      // The entry was cut off by a kill while it was written, before its browser started, or another harness is writing it now.
      if (ageMs(file) > 60_000) rmSync(file, { force: true });
      continue;
    }
    if (isSame(entry.owner)) continue;
    // Only the folder that the harness itself would create under this name is removed, whatever the file says.
    if (entry.profile !== path.join(folder, 'profiles', String(name))) continue;
    const pids = orphansOf(entry).map(({ pid }) => endGroup(pid));
    try {
      removeFolder(entry.profile);
    } catch {
      // A process still writes into it. The entry stays, so that the next start tries again, and the other orphans are handled now.
      continue;
    }
    rmSync(file, { force: true });
    reaped.push({ profile: entry.profile, pids });
  }
  return reaped;
}

/** The profile's name is random, so a process with it in its command line is that browser or a child of it. */
function orphansOf(entry: Entry): ProcessFacts[] {
  const withProfile = processesWith(`--user-data-dir=${entry.profile}`);
  const known = entry.browser?.startedAt !== UNKNOWN ? entry.browser : undefined;
  const recorded = known && isSame(known) ? processFacts(known.pid) : undefined;
  return recorded && withProfile.every(({ pid }) => pid !== recorded.pid) ? [recorded, ...withProfile] : withProfile;
}

function isSame({ pid, startedAt }: z.infer<typeof Owner>): boolean {
  if (startedAt === UNKNOWN) return exists(pid);
  return processFacts(pid)?.startedAt === startedAt;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // The system throws for a process that does not exist.
    return false;
  }
}

/** Kills a process and, where it leads one, its group; or only the group, when its leader has exited. */
export function endGroup(pid: number, scope: 'both' | 'group only' = 'both'): number {
  for (const target of scope === 'both' ? [-pid, pid] : [-pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // The process has ended already, or it has no group of its own.
    }
  }
  return pid;
}

function removeFolder(folder: string): void {
  // A dying browser may still write to the folder, so `rm` retries a few times.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

function ageMs(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function readEntry(file: string): Entry | undefined {
  try {
    return Entry.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Another process may have removed the entry, or been killed while it wrote it.
    return undefined;
  }
}
