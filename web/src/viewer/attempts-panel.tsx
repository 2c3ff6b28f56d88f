/** The attempts of a run, as a matrix or as a list, with filters. */
import { useMemo, useState } from 'react';
import type { AttemptRow } from '../../../src/view/index.ts';
import { AttemptList } from './attempt-list.tsx';
import { Matrix } from './matrix.tsx';
import { Panel } from './panel.tsx';
import { filtered, NO_FILTER, type RunFilter, valuesOf } from './run-filter.ts';

export function AttemptsPanel({ rows }: { rows: readonly AttemptRow[] }) {
  const [filter, setFilter] = useState(NO_FILTER);
  const hasTrials = useMemo(() => rows.some(({ trial }) => trial > 1), [rows]);
  const [chosen, setShape] = useState<'matrix' | 'list'>();
  const shape = chosen ?? (hasTrials ? 'matrix' : 'list');
  const shown = useMemo(() => filtered(rows, filter), [rows, filter]);
  return (
    <Panel
      title="Attempts"
      about={
        <span role="status">
          {shown.length === rows.length ? `${rows.length}` : `${shown.length} of ${rows.length}`}
        </span>
      }
    >
      <Filters rows={rows} filter={filter} onChange={(change) => setFilter({ ...filter, ...change })} />
      <fieldset className="v-tools v-shape">
        <legend className="visually-hidden">Shown as</legend>
        {(['matrix', 'list'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="shape" checked={shape === one} onChange={() => setShape(one)} /> {one}
          </label>
        ))}
      </fieldset>
      {shown.length === 0 ? (
        <p className="muted">No attempt is like that.</p>
      ) : shape === 'matrix' ? (
        <Matrix rows={shown} />
      ) : (
        <AttemptList rows={shown} />
      )}
    </Panel>
  );
}

interface FiltersProps {
  rows: readonly AttemptRow[];
  filter: RunFilter;
  onChange: (change: Partial<RunFilter>) => void;
}

function Filters({ rows, filter, onChange }: FiltersProps) {
  const { statuses, outcomes, tags, hasDiffering } = useMemo(() => valuesOf(rows), [rows]);
  const choices = [
    { name: 'Status', key: 'status', values: statuses },
    { name: 'Class', key: 'outcome', values: outcomes },
    { name: 'Tag', key: 'tag', values: tags },
  ] as const;
  return (
    <div className="v-tools">
      <label>
        Case <input type="search" value={filter.text} onChange={(event) => onChange({ text: event.target.value })} />
      </label>
      {choices.map(
        ({ name, key, values }) =>
          values.length > 0 && (
            <label key={key}>
              {name}{' '}
              <select value={filter[key]} onChange={(event) => onChange({ [key]: event.target.value })}>
                <option value="">all</option>
                {values.map((value) => (
                  <option key={value}>{value}</option>
                ))}
              </select>
            </label>
          ),
      )}
      <label>
        <input
          type="checkbox"
          checked={filter.onlyNotPassed}
          onChange={(event) => onChange({ onlyNotPassed: event.target.checked })}
        />{' '}
        only what did not pass
      </label>
      {hasDiffering && (
        <label>
          <input
            type="checkbox"
            checked={filter.onlyDiffering}
            onChange={(event) => onChange({ onlyDiffering: event.target.checked })}
          />{' '}
          only where graders differ
        </label>
      )}
    </div>
  );
}
