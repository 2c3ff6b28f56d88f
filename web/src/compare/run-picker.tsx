/** Chooses a run, and shows what it came to. */
import type { Run } from '../api/queries.ts';
import { CaptureLabel, ScoringBadge } from '../runs/run-badges.tsx';
import { runDetails, runName } from '../runs/run-name.ts';
import { SelectField } from '../ui/field.tsx';
import { dateTime, percent } from '../ui/format.ts';

export interface RunPickerProps {
  label: string;
  runs: readonly Run[];
  /** The one that is chosen. */
  id: string | undefined;
  run: Run | undefined;
  /** Only runs of this one's dataset version can be compared with it. */
  like?: Run | undefined;
  onPick: (id: string | undefined) => void;
}

export function RunPicker({ label, runs, id, run, like, onPick }: RunPickerProps) {
  const fitting = runs.filter(
    ({ dataset }) => !like || (dataset.id === like.dataset.id && dataset.version_hash === like.dataset.version_hash),
  );
  const shown = run && !fitting.some((one) => one.id === run.id) ? [run, ...fitting] : fitting;
  return (
    <section className="panel" aria-label={label}>
      <SelectField
        label={label}
        value={id ?? ''}
        options={[
          { value: '', name: 'Choose a run' },
          ...shown.map((one) => ({ value: one.id, name: optionName(one) })),
        ]}
        hint={like ? `Runs of this version of ${like.dataset.name}: ${fitting.length}.` : undefined}
        onChange={(value) => onPick(value === '' ? undefined : value)}
      />
      {run && (
        <p className="compared-run">
          <strong className="number">{percent(run.accuracy)}</strong>{' '}
          <span className="muted">accuracy, coverage {percent(run.coverage)}</span>{' '}
          <ScoringBadge status={run.scoring_status} /> <CaptureLabel run={run} />
        </p>
      )}
    </section>
  );
}

function optionName(run: Run): string {
  return [runName(run), runDetails(run), dateTime(run.created_at)].filter(Boolean).join(', ');
}
