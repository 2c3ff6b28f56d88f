/** A row per run of an experiment: its pass rate with the interval drawn, steps, tokens and cost. Two are ticked to be compared. */
import type { AnyRun, Experiment } from '../api/queries.ts';
import { IntervalBar } from '../plots/interval-bar.tsx';
import { RunLink, RunState } from '../runs/any-run-parts.tsx';
import { pickRun } from '../runs/pick-run.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { count, dateTime, percent } from '../ui/format.ts';
import type { FileColumn } from '../ui/list-file.ts';
import { ListFoot, SaveButtons } from '../ui/list-foot.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { runLetter } from './run-letter.ts';

type Row = Experiment['runs'][number];

export interface ExperimentTableProps {
  runs: readonly Row[];
  picked: readonly AnyRun[];
  onPick: (picked: readonly AnyRun[]) => void;
}

export function ExperimentTable({ runs, picked, onPick }: ExperimentTableProps) {
  const letterOf = (row: Row): string => runLetter(runs.indexOf(row));
  const columns: readonly Column<Row>[] = [
    {
      name: 'Compare',
      quiet: true,
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={`Compare ${letterOf(row)}: ${row.name}, ${dateTime(row.run.createdAt)}`}
          checked={picked.some(({ id }) => id === row.run.id)}
          onChange={() => onPick(pickRun(picked, row.run))}
        />
      ),
    },
    {
      name: 'Run',
      isHeader: true,
      cell: (row) => (
        <>
          {letterOf(row)}: <RunLink run={row.run} />
          <div className="run-sub">
            <time dateTime={row.run.createdAt}>{dateTime(row.run.createdAt)}</time>
          </div>
        </>
      ),
    },
    { name: 'State', cell: ({ run }) => <RunState run={run} /> },
    { name: 'Pass rate', cell: (row) => <PassRate row={row} /> },
    { name: 'Strict', align: 'end', cell: ({ strict }) => `${strict.passed}/${strict.of}` },
    { name: 'Steps', align: 'end', cell: ({ steps }) => <Spread p50={steps.p50} p95={steps.p95} /> },
    { name: 'Tokens', align: 'end', cell: ({ tokens }) => <Total total={tokens} text={whole} /> },
    { name: 'Cost', align: 'end', cell: ({ costUsd }) => <Total total={costUsd} text={dollars} /> },
  ];
  return (
    <>
      <ScrollBox label="Table of runs">
        <DataTable caption="Runs of the experiment" columns={columns} rows={runs} rowKey={({ run }) => run.id} />
      </ScrollBox>
      <ListFoot total={count(runs.length, 'run')}>
        <SaveButtons name="experiment" columns={FILE} rows={runs} />
      </ListFoot>
    </>
  );
}

/** Over what the agent decided: faults of others are left out. */
function PassRate({ row: { validOnly } }: { row: Row }) {
  if (validOnly.rate === null) return '–';
  const { low, high } = validOnly.interval;
  return (
    <div className="pass-rate">
      <strong className="number">{percent(validOnly.rate)}</strong>{' '}
      <span className="muted number">
        {percent(low, 0)} to {percent(high, 0)}, {validOnly.passed} of {validOnly.of}
      </span>
      <IntervalBar value={validOnly.rate} low={low} high={high} />
    </div>
  );
}

function Spread({ p50, p95 }: { p50: number | null; p95: number | null }) {
  if (p50 === null || p95 === null) return '–';
  return (
    <>
      {whole(p50)} <span className="muted spread">p95 {whole(p95)}</span>
    </>
  );
}

/** What is not known of some attempts makes a sum that is too small, and that is said. */
function Total({ total: { sum, known, of }, text }: { total: Row['tokens']; text: (value: number) => string }) {
  if (sum === null) return 'unknown';
  return (
    <>
      {text(sum)}
      {known < of && (
        <span className="muted">
          {' '}
          of {known}/{of}
        </span>
      )}
    </>
  );
}

const whole = (value: number): string => (Math.round(value * 10) / 10).toLocaleString('en');
const dollars = (value: number): string => `$${value < 0.01 ? value.toFixed(6) : value.toFixed(2)}`;

const FILE: readonly FileColumn<Row>[] = [
  { name: 'run', value: ({ run }) => run.id },
  { name: 'variant', value: ({ name }) => name },
  { name: 'state', value: ({ run }) => run.state },
  { name: 'passed', value: ({ strict }) => strict.passed },
  { name: 'planned', value: ({ strict }) => strict.of },
  { name: 'decided', value: ({ validOnly }) => validOnly.of },
  { name: 'pass_rate', value: ({ validOnly }) => validOnly.rate },
  { name: 'low', value: ({ validOnly }) => validOnly.interval.low },
  { name: 'high', value: ({ validOnly }) => validOnly.interval.high },
  { name: 'steps_p50', value: ({ steps }) => steps.p50 },
  { name: 'tokens', value: ({ tokens }) => tokens.sum },
  { name: 'cost_usd', value: ({ costUsd }) => costUsd.sum },
];
