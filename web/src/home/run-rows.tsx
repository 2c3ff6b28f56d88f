/** Runs as a list: each with its name, a value, a line about it, and when it was made. */
import type { ReactNode } from 'react';
import type { AnyRun } from '../api/queries.ts';
import { RunLabels, RunLink } from '../runs/any-run-parts.tsx';
import { dateTime } from '../ui/format.ts';

interface RunRowsProps {
  runs: readonly AnyRun[];
  value: (run: AnyRun) => ReactNode;
  /** The value is a number, and is set as one. */
  isNumber?: boolean;
  about: (run: AnyRun) => string;
}

export function RunRows({ runs, value, isNumber = false, about }: RunRowsProps) {
  return (
    <ul className="run-rows">
      {runs.map((run) => (
        <li key={run.id}>
          <span className="run-row-name">
            <RunLink run={run} />
          </span>
          <span className={isNumber ? 'run-row-value number' : 'run-row-value'}>{value(run)}</span>
          <span className="run-row-sub">
            {about(run)} <RunLabels run={run} />
          </span>
          <span className="run-row-time">
            <time dateTime={run.createdAt}>{dateTime(run.createdAt)}</time>
          </span>
        </li>
      ))}
    </ul>
  );
}
