/** All datasets, and the way in for new ones. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Dataset, datasetsQuery } from '../api/queries.ts';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dateTime, shortHash } from '../ui/format.ts';
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
              <DataTable caption="Datasets, newest first" columns={columns} rows={datasets} rowKey={({ id }) => id} />
            </section>
          )
        }
      </QueryState>
      {uploading && <UploadDialog onClose={() => setUploading(false)} />}
    </Page>
  );
}
