/** Runs as a list: each with its name, a value, a line about it, and when it was made. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Run } from '../api/queries.ts';
import { CaptureLabel } from '../runs/run-badges.tsx';
import { runName } from '../runs/run-name.ts';
import { dateTime } from '../ui/format.ts';

interface RunRowsProps {
  runs: readonly Run[];
  value: (run: Run) => ReactNode;
  /** The value is a number, and is set as one. */
  isNumber?: boolean;
  about: (run: Run) => string;
}

export function RunRows({ runs, value, isNumber = false, about }: RunRowsProps) {
  return (
    <ul className="run-rows">
      {runs.map((run) => (
        <li key={run.id}>
          <span className="run-row-name">
            <Link to="/runs/$id" params={{ id: run.id }}>
              {runName(run)}
            </Link>
          </span>
          <span className={isNumber ? 'run-row-value number' : 'run-row-value'}>{value(run)}</span>
          <span className="run-row-sub">
            {about(run)} <CaptureLabel run={run} />
          </span>
          <span className="run-row-time">
            <time dateTime={run.created_at}>{dateTime(run.created_at)}</time>
          </span>
        </li>
      ))}
    </ul>
  );
}
