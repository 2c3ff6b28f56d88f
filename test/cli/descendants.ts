/** All descendants of a process, children first. */
import { readdirSync, readFileSync } from 'node:fs';

export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, parent] of readdirSync('/proc').map(Number).filter(Number.isInteger).flatMap(parentOf)) {
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found = [pid];
  for (const one of found) found.push(...(children.get(one) ?? []));
  return found.slice(1);
}

/** Whether it is running and not a zombie. */
export function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.state !== 'Z';
}

/** Empty if it has ended meanwhile. */
function parentOf(pid: number): [child: number, parent: number][] {
  const stat = statOf(pid);
  return stat ? [[pid, stat.parent]] : [];
}

function statOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
