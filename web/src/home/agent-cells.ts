/** Each agent on each suite: its newest completed run there. */
import type { AnyRun } from '../api/queries.ts';
import type { FileColumn } from '../ui/list-file.ts';

/** A run that has a rate, and whose suite is known. */
export type RatedRun = AnyRun & { rate: number; interval: NonNullable<AnyRun['interval']> };

export interface AgentCell {
  run: RatedRun;
  /** The suite has the same tasks as in its newest run. */
  isCurrent: boolean;
}

export interface AgentRow {
  agent: string;
  /** By the name of the suite. */
  cells: ReadonlyMap<string, AgentCell>;
}

export interface AgentTable {
  /** Of the newest run first, as the agents. */
  suites: string[];
  rows: AgentRow[];
}

/** Of runs of 0.1.0 the suite is not known. */
export function isRated(run: AnyRun): run is RatedRun {
  return run.suite.name !== '' && run.rate !== null && run.interval !== null;
}

/** Of completed runs that are sorted by their time, the newest first. */
export function agentTable(runs: readonly AnyRun[]): AgentTable {
  const hashes = new Map<string, string>();
  const rows = new Map<string, Map<string, AgentCell>>();
  for (const run of runs.filter(isRated)) {
    const { suite, variant } = run;
    if (!hashes.has(suite.name)) hashes.set(suite.name, suite.hash);
    const cells = rows.get(variant.name) ?? new Map<string, AgentCell>();
    rows.set(variant.name, cells);
    if (cells.has(suite.name)) continue;
    cells.set(suite.name, { run, isCurrent: hashes.get(suite.name) === suite.hash });
  }
  return { suites: [...hashes.keys()], rows: [...rows].map(([agent, cells]) => ({ agent, cells })) };
}

export const agentColumns: readonly FileColumn<AgentCell>[] = [
  { name: 'suite', value: ({ run }) => run.suite.name },
  { name: 'agent', value: ({ run }) => run.variant.name },
  { name: 'model', value: ({ run }) => run.model },
  { name: 'pass_rate', value: ({ run }) => run.rate },
  { name: 'interval_low', value: ({ run }) => run.interval.low },
  { name: 'interval_high', value: ({ run }) => run.interval.high },
  { name: 'passed', value: ({ run }) => run.passed },
  { name: 'planned', value: ({ run }) => run.counted },
  { name: 'run_id', value: ({ run }) => run.id },
  { name: 'created_at', value: ({ run }) => run.createdAt },
];
