/** One dataset: its version, its sections, its items, and what can be done with it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { datasetQuery } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Page } from '../shell/page.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { count } from '../ui/format.ts';
import { QueryState } from '../ui/states.tsx';
import { DatasetItems } from './dataset-items.tsx';
import './datasets.css';
import '../runs/runs.css';
import '../runs/run.css';
import { DatasetVersions } from './dataset-versions.tsx';
import { UploadDialog } from './upload-dialog.tsx';

type DatasetDetail = Answer<'get', '/datasets/{id}'>;
const trail = <Link to="/datasets">All datasets</Link>;

export default function DatasetPage() {
  const { id } = useParams({ from: '/datasets/$id' });
  return <DatasetOf key={id} id={id} />;
}

function DatasetOf({ id }: { id: string }) {
  const query = useQuery(datasetQuery(id));
  if (query.data) return <DatasetView dataset={query.data} />;
  return (
    <Page title="Dataset" trail={trail}>
      <QueryState query={query} what="the dataset">
        {() => null}
      </QueryState>
    </Page>
  );
}

function DatasetView({ dataset }: { dataset: DatasetDetail }) {
  const [replacing, setReplacing] = useState(false);
  const { id, name, description, item_count } = dataset;
  return (
    <Page
      title={name}
      trail={trail}
      about={description || count(item_count, 'item')}
      actions={
        <>
          <ButtonLink to="/launch" search={{ dataset: id }} kind="primary">
            Run a dataset
          </ButtonLink>
          <ButtonLink to="/browser-harness" search={{ dataset: id }}>
            Make a pack
          </ButtonLink>
          <Button onClick={() => setReplacing(true)}>Replace items</Button>
          <DeleteButton dataset={dataset} />
        </>
      }
    >
      <div className="columns">
        <DatasetVersions dataset={dataset} />
        <Sections dataset={dataset} />
      </div>
      <DatasetItems dataset={dataset} />
      {replacing && <UploadDialog dataset={dataset} onClose={() => setReplacing(false)} />}
    </Page>
  );
}

function DeleteButton({ dataset: { id, name } }: { dataset: DatasetDetail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  return (
    <ConfirmButton
      action="Delete"
      title={`Delete ${name}?`}
      onConfirm={async () => {
        await call('delete', '/datasets/{id}', { params: { id } });
        announce(`${name} is deleted.`);
        await navigate({ to: '/datasets' });
        client.removeQueries({ queryKey: ['datasets', 'one', id] });
        await client.invalidateQueries({ queryKey: ['datasets', 'list'] });
      }}
    >
      <p>All its items go with it. A dataset that runs or schedules were made of is kept.</p>
    </ConfirmButton>
  );
}

function Sections({ dataset: { sections, item_count } }: { dataset: DatasetDetail }) {
  return (
    <section className="panel" aria-labelledby="dataset-sections">
      <div className="panel-head">
        <h2 id="dataset-sections">Sections</h2>
        <span className="muted">{count(item_count, 'item')}</span>
      </div>
      <ul className="section-rows dataset-sections">
        {sections.map(({ section, items }) => (
          <li key={section}>
            <span className="section-name">{section}</span>
            <svg width="100%" height="8" aria-hidden="true">
              <rect className="plot-bar" width={`${(items / item_count) * 100}%`} height="8" rx="2" />
            </svg>
            <span className="section-value number">{items}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
