/** What the operating system reports about a process: its start time and its command line. A pid alone is not enough, because pids are reused. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  pid: number;
  /** Opaque. It is equal for the same process, and different for a later process with the same pid. */
  startedAt: string;
  commandLine: string;
}

/** The process with this pid, or undefined when there is none (a zombie counts as none: it only waits for its parent). */
export function processFacts(pid: number): ProcessFacts | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** All processes whose command line holds the text. */
export function processesWith(text: string): ProcessFacts[] {
  const found: ProcessFacts[] = [];
  for (const pid of allPids()) {
    const facts = processFacts(pid);
    if (facts?.commandLine.includes(text)) found.push(facts);
  }
  return found;
}

/** Resolves when no process of the group is left (zombies wait for their parent, not for us), or after the time given. */
export async function groupEnded(leader: number, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  // There is no event for the end of a process that is not our child, so the table is polled.
  while (performance.now() < deadline && isGroupAlive(leader)) await new Promise((resolve) => setTimeout(resolve, 3));
}

function isGroupAlive(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch {
    // The system throws for a group that has no process.
    return false;
  }
  if (process.platform !== 'linux') return true;
  return allPids().some((pid) => statOf(pid)?.group === leader);
}

function allPids(): number[] {
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger);
  return ps(['-axo', 'pid=']).trim().split(/\s+/).map(Number);
}

/** Undefined for a process that does not exist and for a zombie. */
function statOf(pid: number): { group: number; startTicks: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name is in parentheses and may hold any character, so the fields are counted after the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : { group: Number(fields[2]), startTicks: fields[19] ?? '' };
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}

function fromProc(pid: number): ProcessFacts | undefined {
  const stat = statOf(pid);
  if (!stat) return undefined;
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, startedAt: `${bootId}:${stat.startTicks}`, commandLine };
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}

function fromPs(pid: number): ProcessFacts | undefined {
  const out = ps(['-o', 'stat=,lstart=,command=', '-p', String(pid)]).trim();
  // "S    Sun Nov 15 10:00:00 2026 /path/to/program --flag": lstart is always five words.
  const match = /^(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/s.exec(out);
  if (!match?.[1] || !match[2] || match[1].startsWith('Z')) return undefined;
  return { pid, startedAt: match[2].replaceAll(/\s+/g, ' '), commandLine: match[3] ?? '' };
}

/** Returns nothing where there is no `ps` (Windows). */
function ps(args: string[]): string {
  const out: string | null = spawnSync('ps', args, { encoding: 'utf8' }).stdout;
  return out ?? '';
}
