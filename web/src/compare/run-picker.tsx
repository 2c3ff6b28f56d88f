/** Chooses a run, and shows what it came to. */
import type { AnyRun } from '../api/queries.ts';
import { anyRunDetails, anyRunName } from '../runs/any-run-name.ts';
import { RunLabels, RunState } from '../runs/any-run-parts.tsx';
import { SelectField } from '../ui/field.tsx';
import { dateTime, percent } from '../ui/format.ts';
import { isOfDataset, whyNotComparable } from './comparable.ts';

export interface RunPickerProps {
  label: string;
  runs: readonly AnyRun[];
  /** The one that is chosen. */
  id: string | undefined;
  run: AnyRun | undefined;
  /** Only runs that can be compared with this one are offered. */
  like?: AnyRun | undefined;
  onPick: (id: string | undefined) => void;
}

export function RunPicker({ label, runs, id, run, like, onPick }: RunPickerProps) {
  const fitting = runs.filter((one) => !like || whyNotComparable(like, one) === undefined);
  // Those of the same suite come first: others may have cases in common.
  const sorted = like ? fitting.toSorted((x, y) => Number(isSame(y, like)) - Number(isSame(x, like))) : fitting;
  const shown = run && !sorted.some((one) => one.id === run.id) ? [run, ...sorted] : sorted;
  return (
    <section className="panel" aria-label={label}>
      <SelectField
        label={label}
        value={id ?? ''}
        options={[
          { value: '', name: 'Choose a run' },
          ...shown.map((one) => ({ value: one.id, name: optionName(one) })),
        ]}
        hint={like && hintOf(like, fitting)}
        onChange={(value) => onPick(value === '' ? undefined : value)}
      />
      {run && (
        <p className="compared-run">
          <strong className="number">{percent(run.rate)}</strong>{' '}
          <span className="muted">
            accuracy, coverage {percent(run.done === null || run.planned === 0 ? null : run.done / run.planned)}
          </span>{' '}
          <RunState run={run} /> <RunLabels run={run} />
        </p>
      )}
    </section>
  );
}

const isSame = (one: AnyRun, like: AnyRun): boolean => one.suite.hash === like.suite.hash;

function hintOf(like: AnyRun, fitting: readonly AnyRun[]): string {
  if (isOfDataset(like)) return `Runs of this version of ${like.suite.name}: ${fitting.length}.`;
  const same = fitting.filter((one) => isSame(one, like)).length;
  return `Runs of the same cases: ${same}. Others are compared by the cases that both have.`;
}

function optionName(run: AnyRun): string {
  return [anyRunName(run), anyRunDetails(run), dateTime(run.createdAt)].filter(Boolean).join(', ');
}
