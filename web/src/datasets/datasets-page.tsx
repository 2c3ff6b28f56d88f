/** All datasets, and the way in for new ones. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Dataset, datasetsQuery } from '../api/queries.ts';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dateTime, shortHash } from '../ui/format.ts';
import type { FileColumn } from '../ui/list-file.ts';
import { SaveButtons } from '../ui/list-foot.tsx';
import { byNumber, byText, byTime } from '../ui/list-order.ts';
import { LocalList } from '../ui/local-list.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { UploadDialog } from './upload-dialog.tsx';

const columns: readonly Column<Dataset>[] = [
  {
    name: 'Dataset',
    isHeader: true,
    cell: ({ id, name, description }) => (
      <>
        <Link to="/datasets/$id" params={{ id }}>
          {name}
        </Link>
        {description !== '' && <div className="muted">{description}</div>}
      </>
    ),
  },
  { name: 'Items', align: 'end', cell: ({ item_count }) => item_count.toLocaleString('en') },
  { name: 'Version', cell: ({ version_hash }) => <span className="mono">{shortHash(version_hash)}</span> },
  { name: 'Changed', cell: ({ updated_at }) => <time dateTime={updated_at}>{dateTime(updated_at)}</time> },
];

const textsOf = ({ name, description, version_hash }: Dataset) => [name, description, version_hash];

const SORTS = [
  { value: 'newest', name: 'Newest first', compare: byTime(({ created_at }: Dataset) => created_at) },
  { value: 'changed', name: 'Last changed first', compare: byTime(({ updated_at }: Dataset) => updated_at) },
  { value: 'name', name: 'By name', compare: byText(({ name }: Dataset) => name) },
  { value: 'items', name: 'Largest first', compare: byNumber(({ item_count }: Dataset) => item_count) },
] as const;

const FILE: readonly FileColumn<Dataset>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name },
  { name: 'description', value: ({ description }) => description },
  { name: 'items', value: ({ item_count }) => item_count },
  { name: 'version_hash', value: ({ version_hash }) => version_hash },
  { name: 'created_at', value: ({ created_at }) => created_at },
  { name: 'updated_at', value: ({ updated_at }) => updated_at },
];

export default function DatasetsPage() {
  const query = useQuery(datasetsQuery());
  const [uploading, setUploading] = useState(false);
  return (
    <Page
      title="Datasets"
      about="Questions with their answers and checkers. A version is the hash of all items: whatever changes, the hash changes."
      actions={
        <Button kind="primary" onClick={() => setUploading(true)}>
          Upload a dataset
        </Button>
      }
    >
      <QueryState query={query} what="datasets">
        {({ datasets }) =>
          datasets.length === 0 ? (
            <Empty title="There are no datasets yet.">
              <p>
                Upload a JSONL file, one item a line, such as{' '}
                <code>{'{"id":"q1","type":"numeric","prompt_text":"2 + 2?","answer":4}'}</code>, or a bundle.
              </p>
            </Empty>
          ) : (
            <section className="panel" aria-label="Datasets">
              <LocalList
                one="dataset"
                rows={datasets}
                textsOf={textsOf}
                sorts={SORTS}
                files={(found) => <SaveButtons name="datasets" columns={FILE} rows={found} />}
              >
                {(shown) => <DataTable caption="Datasets" columns={columns} rows={shown} rowKey={({ id }) => id} />}
              </LocalList>
            </section>
          )
        }
      </QueryState>
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
    </Page>
  );
}
