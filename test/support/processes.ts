/** Looking at processes from outside, and harnesses in processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The processes of a group: a browser and its children. Zombies, which only wait for their parent, are none. */
export function groupOf(leader: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && statOf(pid)?.group === leader);
}

/** Whether the process exists, as a zombie too. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function statOf(pid: number): { group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : { group: Number(group) };
  } catch {
    return undefined;
  }
}

/** TCP ports on which any of these processes listens. */
export function listeningPorts(pids: readonly number[]): number[] {
  const inodes = new Set(pids.flatMap(socketsOf));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'latin1').trim().split('\n').slice(1),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode ?? ''))
    .map(([, local]) => Number.parseInt(local?.split(':')[1] ?? '', 16));
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode ? [inode] : [];
    });
  } catch {
    return [];
  }
}

export interface ChildHarness {
  pid: number;
  /** Of its browsers. */
  pids: number[];
  contexts: string[];
  /** Resolves with exit code and signal. */
  exited: Promise<[number | null, NodeJS.Signals | null]>;
  kill(signal: NodeJS.Signals): void;
}

/** A harness in a process of its own; what it has open is known when this resolves. */
export async function startHarness(then: 'exit' | 'throw' | 'wait' | 'sigterm', slots = 0): Promise<ChildHarness> {
  const script = path.join(import.meta.dirname, 'child-harness.ts');
  const child = spawn(process.execPath, [script, then, String(slots)], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit') as ChildHarness['exited'];
  let said = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said = line;
    break;
  }
  const open = JSON.parse(said) as Pick<ChildHarness, 'pids' | 'contexts'>;
  return { ...open, pid: child.pid ?? 0, exited, kill: (signal) => child.kill(signal) };
}
