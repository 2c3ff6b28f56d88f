/** A dataset's items, a page at a time, answers included. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import type { DatasetItem } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { Empty, QueryState } from '../ui/states.tsx';

const PAGE = 50;

export function DatasetItems({ dataset }: { dataset: Answer<'get', '/datasets/{id}'> }) {
  const { section } = useSearch({ from: '/datasets/$id' });
  const navigate = useNavigate({ from: '/datasets/$id' });
  /** The numbers that the pages before this one ended with. */
  const [pages, setPages] = useState<readonly number[]>([]);
  const { id, version_hash } = dataset;
  const after = pages.at(-1) ?? 0;
  const query = useQuery({
    queryKey: ['datasets', 'items', id, version_hash, section, after],
    queryFn: ({ signal }) =>
      call('get', '/datasets/{id}/items', { params: { id }, query: { section, after, limit: PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="panel" aria-labelledby="dataset-items">
      <div className="panel-head">
        <h2 id="dataset-items">Items</h2>
      </div>
      <div className="filters">
        <SelectField
          label="Section"
          value={section ?? ''}
          options={[
            { value: '', name: 'All sections' },
            ...dataset.sections.map((one) => ({ value: one.section, name: one.section })),
          ]}
          onChange={(value) => {
            setPages([]);
            void navigate({ search: value === '' ? {} : { section: value }, replace: true, resetScroll: false });
          }}
        />
      </div>
      <QueryState query={query} what="items">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No items here." />
          ) : (
            <>
              <ol className="items">
                {items.map((entry) => (
                  <li key={entry.seq}>
                    <ItemRow entry={entry} />
                  </li>
                ))}
              </ol>
              {(pages.length > 0 || items.length === PAGE) && (
                <div className="pager">
                  <Button disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
                    Previous
                  </Button>
                  <Button disabled={items.length < PAGE} onClick={() => setPages([...pages, items.at(-1)?.seq ?? 0])}>
                    Next
                  </Button>
                </div>
              )}
            </>
          )
        }
      </QueryState>
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
