/** The figures of the server as tables: each engine by itself, and at the end the promises, with both engines side by side. */
import type { LoadFigures } from './server-load.ts';

export interface ImportFigures {
  items: number;
  import_ms: number;
  import_items_per_s: number;
  bare_insert_ms: number;
  import_over_bare: number;
  scoring_ms: number;
  scoring_items_per_s: number;
  waited_ms: number;
  /** From the answer of the import until everything was scored. */
  end_to_end_items_per_s: number;
  health_importing_ms: number;
  health_scoring_ms: number;
  peak_mib: number;
}

export interface Latency {
  name: string;
  p50_ms: number;
  p95_ms: number;
  over_bare: number;
}

export interface Figures {
  engine: string;
  runs: number;
  /** Of a server without any data. */
  first_start: { ms: number; mib: number };
  seed_ms: number;
  idle_mib: number;
  imports: ImportFigures[];
  latencies: Latency[];
  load: LoadFigures;
}

interface Goal {
  name: string;
  unit: string;
  goal: number;
  /** Whether a larger value is better. */
  isLeast?: boolean;
  value: (figures: Figures) => number | undefined;
}

const GOALS: readonly Goal[] = [
  { name: 'first start from a checkout', unit: 'ms', goal: 3000, value: ({ first_start }) => first_start.ms },
  { name: 'first start from a checkout, memory', unit: 'MiB', goal: 700, value: ({ first_start }) => first_start.mib },
  { name: 'reads while imports go on, p95', unit: 'ms', goal: 250, value: ({ load }) => load.reads.p95_ms },
  { name: 'import of 10,000 items', unit: 'ms', goal: 3000, value: (figures) => tenThousand(figures)?.import_ms },
  {
    name: 'scoring of 10,000 items, from the answer of the import',
    unit: 'items/s',
    goal: 5000,
    isLeast: true,
    value: (figures) => tenThousand(figures)?.end_to_end_items_per_s,
  },
  {
    name: 'longest health check while 10,000 items are scored',
    unit: 'ms',
    goal: 100,
    value: (figures) => tenThousand(figures)?.health_scoring_ms,
  },
];

export function printFigures(all: readonly Figures[]): void {
  for (const figures of all) printEngine(figures);
  for (const figures of all) printLoad(figures);
  console.log(`\n## Goals\n\n| what | goal | ${all.map(({ engine }) => engine).join(' | ')} |`);
  console.log(`|---|---|${all.map(() => '---').join('|')}|`);
  for (const { name, unit, goal, isLeast = false, value } of GOALS) {
    const cells = all.map((figures) => {
      const reached = value(figures);
      if (reached === undefined) return 'not measured';
      return `${whole(reached)} ${unit}${(isLeast ? reached >= goal : reached <= goal) ? '' : ' (MISSED)'}`;
    });
    console.log(`| ${[name, `${isLeast ? 'at least' : 'at most'} ${whole(goal)} ${unit}`, ...cells].join(' | ')} |`);
  }
}

const tenThousand = ({ imports }: Figures) => imports.find(({ items }) => items === 10_000);

const whole = (value: number) => Math.round(value).toLocaleString('en');

function printLoad({ engine, load }: Figures): void {
  console.log(`\n## ${engine}, ${load.clients} clients for ${load.seconds} s\n`);
  console.log('| operation | count | p50 ms | p95 ms | longest ms |\n|---|---|---|---|---|');
  for (const [name, row] of [
    ['read', load.reads],
    ['import', load.imports],
  ] as const) {
    console.log(`| ${[name, ...[row.count, row.p50_ms, row.p95_ms, row.longest_ms].map(whole)].join(' | ')} |`);
  }
  console.log(`\nThe longest health check meanwhile: ${whole(load.health_longest_ms)} ms.`);
}

function printEngine({ engine, runs, seed_ms, idle_mib, imports, latencies }: Figures): void {
  console.log(`\n## ${engine}, ${whole(runs)} runs in the store (made by SQL in ${whole(seed_ms)} ms)\n`);
  console.log(`Memory of the server at its start: ${whole(idle_mib)} MiB.\n`);
  console.log('| items | import ms | items/s | bare insert ms | ratio | scoring ms | items/s | peak MiB |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const row of imports) {
    const cells = [row.items, row.import_ms, row.import_items_per_s, row.bare_insert_ms].map(whole);
    const scoring = [row.scoring_ms, row.scoring_items_per_s, row.peak_mib].map(whole);
    console.log(`| ${[...cells, row.import_over_bare.toFixed(1), ...scoring].join(' | ')} |`);
  }
  for (const row of imports) {
    console.log(
      `\nThe longest health check with ${whole(row.items)} items: ${whole(row.health_importing_ms)} ms while they were imported, ${whole(row.health_scoring_ms)} ms while they were scored.`,
    );
  }
  const [small, large] = [imports[0], imports.at(-1)];
  if (small && large && large.items > small.items) {
    const times = (large.import_ms / small.import_ms).toFixed(1);
    const scored = (large.scoring_ms / small.scoring_ms).toFixed(1);
    console.log(
      `\n${large.items / small.items} times the items take ${times} times as long to import, ${scored} to score.\n`,
    );
  }
  console.log('| request | p50 ms | p95 ms | × an empty route |\n|---|---|---|---|');
  for (const { name, p50_ms, p95_ms, over_bare } of latencies) {
    console.log(`| ${name} | ${p50_ms.toFixed(2)} | ${p95_ms.toFixed(2)} | ${over_bare.toFixed(1)} |`);
  }
}
