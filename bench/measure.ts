/** Measuring in one place: medians, and ratios of things that were measured in turns, so that a noisy machine disturbs both alike. */
import { readFileSync } from 'node:fs';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Each of the works in turn, again and again: milliseconds of each. */
export async function inTurns<K extends string>(
  rounds: number,
  works: Record<K, () => Promise<unknown>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(works) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round++) {
    // The order turns as well: whoever comes after a screenshot would pay for it otherwise.
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length] as K;
      times[name].push(await timed(works[name]));
    }
  }
  return times;
}

/** Microseconds a call: the median over batches of the mean within one, because a single call is shorter than the clock's tick. */
export function medianMicros(run: (call: number) => unknown, batch: number, batches = 41): number {
  for (let i = 0; i < batch; i++) run(-1 - i);
  const means = Array.from({ length: batches }, (_, n) => {
    const start = performance.now();
    for (let i = 0; i < batch; i++) run(n * batch + i);
    return ((performance.now() - start) * 1000) / batch;
  });
  return median(means);
}

export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** In the same unit; reached when the value is not above it. */
  goal?: number | undefined;
  note?: string;
}

export function printTable(title: string, rows: readonly BenchRow[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, value, unit, goal, note } of rows) {
    const shown = `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`.padStart(12);
    const verdict =
      goal === undefined
        ? ''
        : value <= goal
          ? `  goal ≤ ${goal} ${unit}: reached`
          : `  goal ≤ ${goal} ${unit}: MISSED`;
    console.log(`  ${name.padEnd(width)}  ${shown}${verdict}${note ? `  (${note})` : ''}`);
  }
}

/**
 * The most memory that a process has had, in MiB; NaN where the system does not tell.
 */
export function peakMiB(pid: number | 'self' | undefined): number {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib) / 1024;
  } catch {
    return Number.NaN;
  }
}
