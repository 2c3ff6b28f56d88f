/** Each agent on each suite: its newest completed run there. */
import type { AnyRun } from '../api/queries.ts';
import type { FileColumn } from '../ui/list-file.ts';

export interface AgentCell {
  suite: string;
  run: AnyRun;
  rate: number;
  interval: NonNullable<AnyRun['interval']>;
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

/** One that was stopped says little of its agent, and of runs of 0.1.0 the suite is not known. */
export function isCompleted({ state, suite, rate }: AnyRun): boolean {
  return state === 'completed' && suite.name !== '' && rate !== null;
}

/** Of runs that are sorted by their time, the newest first. */
export function agentTable(runs: readonly AnyRun[]): AgentTable {
  const hashes = new Map<string, string>();
  const rows = new Map<string, Map<string, AgentCell>>();
  for (const run of runs) {
    const { suite, variant, rate, interval } = run;
    if (!isCompleted(run) || rate === null || interval === null) continue;
    if (!hashes.has(suite.name)) hashes.set(suite.name, suite.hash);
    const cells = rows.get(variant.name) ?? new Map<string, AgentCell>();
    rows.set(variant.name, cells);
    if (cells.has(suite.name)) continue;
    const isCurrent = hashes.get(suite.name) === suite.hash;
    cells.set(suite.name, { suite: suite.name, run, rate, interval, isCurrent });
  }
  return { suites: [...hashes.keys()], rows: [...rows].map(([agent, cells]) => ({ agent, cells })) };
}

export const agentColumns: readonly FileColumn<AgentCell>[] = [
  { name: 'suite', value: ({ suite }) => suite },
  { name: 'agent', value: ({ run }) => run.variant.name },
  { name: 'model', value: ({ run }) => run.model },
  { name: 'pass_rate', value: ({ rate }) => rate },
  { name: 'interval_low', value: ({ interval }) => interval.low },
  { name: 'interval_high', value: ({ interval }) => interval.high },
  { name: 'passed', value: ({ run }) => run.passed },
  { name: 'planned', value: ({ run }) => run.counted },
  { name: 'run_id', value: ({ run }) => run.id },
  { name: 'created_at', value: ({ run }) => run.createdAt },
];
