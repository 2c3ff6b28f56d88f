import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Dataset, datasetQuery, datasetsQuery } from '../api/queries.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { count, duration } from '../ui/format.ts';
import { SectionBoxes } from '../ui/section-boxes.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { ANSWER_MS, type Change, type Draft, estimate } from './draft.ts';
import { Part, type PartState } from './part.tsx';

interface ScopeProps {
  draft: Draft;
  change: Change;
  /** Of the pack, once the server has looked at it. */
  items: number | undefined;
  state: PartState;
}

export function ScopePart({ draft, change, items, state }: ScopeProps) {
  const datasets = useQuery(datasetsQuery());
  return (
    <Part
      number={1}
      name="Scope"
      state={state}
      about="The prompts to send. The pack contains prompts only: no answers, no checkers."
    >
      <QueryState query={datasets} what="the datasets">
        {({ datasets: list }) =>
          list.length === 0 ? (
            <Empty title="There is no dataset yet.">
              <Link to="/datasets">Upload one first</Link>
            </Empty>
          ) : (
            <Fields {...{ draft, change, items, list }} />
          )
        }
      </QueryState>
    </Part>
  );
}

function Fields({ draft, change, items, list }: Omit<ScopeProps, 'state'> & { list: readonly Dataset[] }) {
  const { datasetId, sections, maxItems } = draft;
  const isKnown = datasetId === '' || list.some(({ id }) => id === datasetId);
  const dataset = useQuery({ ...datasetQuery(datasetId), enabled: datasetId !== '' });
  const all = dataset.data?.sections ?? [];
  const chosen = all.filter(({ section }) => sections?.includes(section) ?? true);
  const inScope = chosen.reduce((sum, section) => sum + section.items, 0);
  const most = /^[1-9]\d*$/.test(maxItems.trim()) ? Math.min(inScope, Number(maxItems)) : inScope;
  return (
    <div className="form">
      <SelectField
        label="Dataset"
        required
        value={datasetId}
        options={[
          { value: '', name: 'Choose a dataset …' },
          ...list.map(({ id, name, item_count }) => ({ value: id, name: `${name} (${count(item_count, 'item')})` })),
          ...(isKnown ? [] : [{ value: datasetId, name: datasetId }]),
        ]}
        onChange={(id) => change({ datasetId: id, sections: undefined })}
      />
      {datasetId !== '' && (
        <QueryState query={dataset} what="the dataset">
          {() => (
            <>
              <SectionBoxes all={all} chosen={sections} onChange={(next) => change({ sections: next })} />
              <div className="form-row">
                <TextField
                  label="Maximum number of items"
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder={`all ${inScope.toLocaleString('en')}`}
                  value={maxItems}
                  error={
                    /^([1-9]\d*)?$/.test(maxItems.trim())
                      ? undefined
                      : 'Enter a whole number, or leave it empty for all.'
                  }
                  onChange={(text) => change({ maxItems: text })}
                />
              </div>
              <Estimate draft={draft} items={items ?? most} />
            </>
          )}
        </QueryState>
      )}
    </div>
  );
}

function Estimate({ draft, items }: { draft: Draft; items: number }) {
  const ms = estimate(items, draft);
  if (ms === undefined || items === 0) return null;
  const { quiet, pace } = draft.timing;
  return (
    <p>
      <strong>
        {count(items, 'item')}, about {duration(Math.max(ms, 1000)).replace('.0 s', ' s')}
      </strong>{' '}
      <span className="muted">
        on the page: {ANSWER_MS / 1000} s per answer (an estimate), {quiet} s of quiet time, {pace} s between items.
      </span>
    </p>
  );
}
