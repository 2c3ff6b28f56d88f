import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { datasetQuery, datasetsQuery } from '../api/queries.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { SectionBoxes } from '../ui/section-boxes.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { type ChangeLaunch, fieldErrors, type LaunchDraft } from './launch-draft.ts';

/** Which items are asked. */
export function ScopeFields({ draft, change }: { draft: LaunchDraft; change: ChangeLaunch }) {
  const datasets = useQuery(datasetsQuery());
  const dataset = useQuery({ ...datasetQuery(draft.datasetId), enabled: draft.datasetId !== '' });
  const isKnown = (list: readonly { id: string }[]) =>
    draft.datasetId === '' || list.some(({ id }) => id === draft.datasetId);
  return (
    <QueryState query={datasets} what="the datasets">
      {({ datasets: list }) =>
        list.length === 0 ? (
          <Empty title="There is no dataset yet.">
            <Link to="/datasets">Upload one first</Link>
          </Empty>
        ) : (
          <div className="form">
            <SelectField
              label="Dataset"
              required
              value={draft.datasetId}
              options={[
                { value: '', name: 'Choose a dataset …' },
                ...list.map(({ id, name, item_count }) => ({
                  value: id,
                  name: `${name} (${count(item_count, 'item')})`,
                })),
                ...(isKnown(list) ? [] : [{ value: draft.datasetId, name: draft.datasetId }]),
              ]}
              onChange={(datasetId) => change({ datasetId, sections: undefined, itemIds: undefined })}
            />
            {draft.datasetId !== '' && (
              <QueryState query={dataset} what="the dataset">
                {({ sections, item_count }) => (
                  <>
                    <SectionBoxes
                      all={sections}
                      chosen={draft.sections}
                      onChange={(chosen) => change({ sections: chosen })}
                    />
                    <TextField
                      label="Maximum number of items"
                      inputMode="numeric"
                      autoComplete="off"
                      placeholder={`all ${item_count.toLocaleString('en')}`}
                      value={draft.maxItems}
                      error={fieldErrors(draft).maxItems}
                      onChange={(maxItems) => change({ maxItems })}
                    />
                  </>
                )}
              </QueryState>
            )}
          </div>
        )
      }
    </QueryState>
  );
}
