/** What groups of processes use, from /proc (Linux): a browser and all its processes are one group, which the browser leads. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second, as /proc/<pid>/stat counts them. */
const TICKS = 100;

interface ProcessStat {
  pid: string;
  parent: number;
  group: number;
  /** Of the process and of its children that have ended. */
  cpuSeconds: number;
}

/** The processes in the groups: how many, and the memory that they really cost together. */
export function memoryOf(groups: readonly number[]): { mib: number; processes: number } {
  const members = membersOf(groups);
  return { mib: members.reduce((sum, { pid }) => sum + pssMiB(pid), 0), processes: members.length };
}

/** Of this process alone. */
export function ownMiB(): number {
  return pssMiB('self');
}

export function cpuSecondsOf(groups: readonly number[]): number {
  return membersOf(groups).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

/** Of a process and its children, those that have ended included: a PostgreSQL server, whose children lead groups of their own. */
export function cpuSecondsBelow(pid: number): number {
  return allStats()
    .filter((stat) => stat.parent === pid || Number(stat.pid) === pid)
    .reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

/** The groups that children of this process lead: the browsers that it has started, by whatever library. */
export function childGroups(): number[] {
  return allStats().flatMap(({ pid, parent, group }) =>
    parent === process.pid && group === Number(pid) ? [group] : [],
  );
}

/** Seconds that all cores together have worked since the machine was started, for all processes. */
export function machineCpuSeconds(): number {
  const [user = 0, nice = 0, system = 0, _idle, _iowait, irq = 0, softirq = 0] = (
    /^cpu +(.*)$/m.exec(read('/proc/stat'))?.[1] ?? ''
  )
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + softirq) / TICKS;
}

/** RSS counts a shared page in every process that has it; PSS shares it out among them. */
function pssMiB(pid: string): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

function membersOf(groups: readonly number[]): ProcessStat[] {
  const wanted = new Set(groups);
  return allStats().filter(({ group }) => wanted.has(group));
}

function allStats(): ProcessStat[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const stat = read(`/proc/${pid}/stat`);
    // The command's name is in parentheses and may hold any character, so the fields are counted after the last parenthesis.
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie holds nothing; it only waits for its parent.
    if (stat === '' || words[0] === 'Z') return [];
    const fields = words.map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
    return [{ pid, parent: fields[1] ?? -1, group: fields[2] ?? -1, cpuSeconds: ticks / TICKS }];
  });
}

/** Empty for a process that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
