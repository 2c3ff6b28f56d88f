/** A dataset's items, answers included: searched and ordered here, a page of them at a time. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Answer, urlOf } from '../../../src/server/client.ts';
import { type DatasetItem, datasetItemsQuery } from '../api/queries.ts';
import { useAllPages } from '../api/use-all-pages.ts';
import { onItemKey } from '../runs/item-keys.ts';
import { Button, FileLink } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { byNumber, byText } from '../ui/list-order.ts';
import { LocalList } from '../ui/local-list.tsx';
import { Failure } from '../ui/problem.tsx';
import { Loading } from '../ui/states.tsx';

const SORTS = [
  { value: 'order', name: 'As in the dataset', compare: byNumber(({ seq }: DatasetItem) => -seq) },
  { value: 'id', name: 'By id', compare: byText(({ item }: DatasetItem) => item.id) },
  { value: 'type', name: 'By type', compare: byText(({ item }: DatasetItem) => item.type) },
] as const;

const textsOf = ({ item: { id, type, prompt_text, answer } }: DatasetItem) => [
  id,
  type,
  prompt_text,
  typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''),
];

export function DatasetItems({ dataset }: { dataset: Answer<'get', '/datasets/{id}'> }) {
  const { section } = useSearch({ from: '/datasets/$id' });
  const navigate = useNavigate({ from: '/datasets/$id' });
  const { items, error, loadMore, retry } = useAllPages(datasetItemsQuery(dataset));
  const file = (format: string) => urlOf('/datasets/{id}/export', { id: dataset.id }, { format });
  return (
    <section className="panel" aria-labelledby="dataset-items">
      <div className="panel-head">
        <h2 id="dataset-items">Items</h2>
      </div>
      {error && <Failure error={error} onRetry={retry} />}
      {!items && !error && <Loading what="items" />}
      {items && (
        <LocalList
          one="item"
          rows={section === undefined ? items : items.filter(({ item }) => item.section === section)}
          textsOf={textsOf}
          sorts={SORTS}
          filtersSet={section === undefined ? 0 : 1}
          filters={
            <SelectField
              label="Section"
              value={section ?? ''}
              options={[
                { value: '', name: 'All sections' },
                ...dataset.sections.map((one) => ({ value: one.section, name: one.section })),
              ]}
              onChange={(value) =>
                void navigate({ search: value === '' ? {} : { section: value }, replace: true, resetScroll: false })
              }
            />
          }
          files={() => (
            <>
              <FileLink small href={file('jsonl')}>
                Export JSONL
              </FileLink>
              <FileLink small href={file('bundle')}>
                Export bundle
              </FileLink>
            </>
          )}
        >
          {(shown) => (
            <ol className="items" onKeyDown={(event) => onItemKey(event)}>
              {shown.map((entry) => (
                <li key={entry.seq}>
                  <ItemRow entry={entry} />
                </li>
              ))}
            </ol>
          )}
        </LocalList>
      )}
      {loadMore && (
        <p>
          Only the first {items?.length} items are loaded. <Button onClick={loadMore}>Load more</Button>
        </p>
      )}
    </section>
  );
}

function ItemRow({ entry: { item } }: { entry: DatasetItem }) {
  const { id, type, section, prompt_text, choices, answer, checker, criteria, meta } = item;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Prompt', prompt_text],
    ['Choices', choices?.map((choice, index) => `${String.fromCharCode(65 + index)}) ${choice}`).join('\n')],
    [
      'Answer',
      answer === undefined ? undefined : typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2),
    ],
    ['Checker', checker && JSON.stringify(checker, null, 2)],
    ['Criteria for the judge', criteria],
    ['Meta', Object.keys(meta).length === 0 ? undefined : JSON.stringify(meta, null, 2)],
  ];
  return (
    <details className="item dataset-item">
      <summary>
        <span className="item-id mono">{id}</span>
        <span className="muted">
          {section} · {type}
        </span>
        <span className="item-prompt">{prompt_text.trim().split('\n', 1)[0]}</span>
      </summary>
      <div className="item-body">
        {parts.map(
          ([name, text]) =>
            text !== undefined && (
              <div key={name}>
                <h3>{name}</h3>
                <pre className="quoted">{text}</pre>
              </div>
            ),
        )}
      </div>
    </details>
  );
}
