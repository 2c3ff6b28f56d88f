/** Models behind an API: created, edited, tested and deleted here. Those of captured chat pages are created by imports, and are not listed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { type Provider, providersQuery } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Page } from '../shell/page.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import type { FileColumn } from '../ui/list-file.ts';
import { SaveButtons } from '../ui/list-foot.tsx';
import { byText, byTime } from '../ui/list-order.ts';
import { LocalList } from '../ui/local-list.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import './providers.css';
import { SmokeDialog } from './smoke-dialog.tsx';

const textsOf = ({ name, kind, base_url, key_env }: Provider) => [name, kind ?? '', base_url ?? '', key_env ?? ''];

const SORTS = [
  { value: 'name', name: 'By name', compare: byText(({ name }: Provider) => name) },
  { value: 'kind', name: 'By kind', compare: byText(({ kind }: Provider) => kind ?? '') },
  { value: 'newest', name: 'Newest first', compare: byTime(({ created_at }: Provider) => created_at) },
] as const;

/** The name of the key's variable: keys themselves are in no list. */
const FILE: readonly FileColumn<Provider>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name },
  { name: 'kind', value: ({ kind }) => kind },
  { name: 'base_url', value: ({ base_url }) => base_url },
  { name: 'key_env', value: ({ key_env }) => key_env },
  { name: 'created_at', value: ({ created_at }) => created_at },
];

type Doing = { what: 'new' } | { what: 'edit' | 'test'; provider: Provider };

export default function ProvidersPage() {
  const query = useQuery(providersQuery());
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  return (
    <Page
      title="Providers"
      about="Models behind an API, for runs and for judges. Keys stay in the server's environment: only their names are kept here."
      actions={
        <Button kind="primary" onClick={() => setDoing({ what: 'new' })}>
          Add a provider
        </Button>
      }
    >
      <QueryState query={query} what="providers">
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty title="There are no providers yet.">
              <p>Add one to run datasets on its models, or to use a model as a judge.</p>
            </Empty>
          ) : (
            <section className="panel" aria-label="Providers">
              <LocalList
                one="provider"
                rows={providers}
                textsOf={textsOf}
                sorts={SORTS}
                files={(found) => <SaveButtons name="providers" columns={FILE} rows={found} />}
              >
                {(shown) => (
                  <DataTable
                    caption="API providers"
                    columns={columnsOf(setDoing)}
                    rows={shown}
                    rowKey={({ id }) => id}
                  />
                )}
              </LocalList>
            </section>
          )
        }
      </QueryState>
      {doing?.what === 'new' && <ProviderDialog onClose={close} />}
      {doing?.what === 'edit' && <ProviderDialog provider={doing.provider} onClose={close} />}
      {doing?.what === 'test' && <SmokeDialog provider={doing.provider} onClose={close} />}
    </Page>
  );
}

function columnsOf(setDoing: (doing: Doing) => void): readonly Column<Provider>[] {
  return [
    { name: 'Name', isHeader: true, cell: ({ name }) => name },
    { name: 'Kind', cell: ({ kind }) => kind },
    { name: 'Base URL', cell: ({ base_url }) => <span className="mono">{base_url}</span> },
    {
      name: 'Key variable',
      cell: ({ key_env }) =>
        key_env === null ? <span className="muted">no key</span> : <code className="mono">${key_env}</code>,
    },
    {
      name: 'Actions',
      quiet: true,
      cell: (provider) => (
        <div className="actions row-actions">
          <ButtonLink
            to="/launch"
            search={{ provider: provider.id }}
            small
            aria-label={`Run a dataset on ${provider.name}`}
          >
            Run a dataset
          </ButtonLink>
          <Button small aria-label={`Test ${provider.name}`} onClick={() => setDoing({ what: 'test', provider })}>
            Test
          </Button>
          <Button small aria-label={`Edit ${provider.name}`} onClick={() => setDoing({ what: 'edit', provider })}>
            Edit
          </Button>
          <DeleteButton provider={provider} />
        </div>
      ),
    },
  ];
}

function DeleteButton({ provider: { id, name } }: { provider: Provider }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return (
    <ConfirmButton
      action="Delete"
      of={name}
      title={`Delete ${name}?`}
      small
      onConfirm={async () => {
        await call('delete', '/providers/{id}', { params: { id } });
        announce(`${name} is deleted.`);
        await client.invalidateQueries({ queryKey: ['providers'] });
      }}
    >
      <p>A provider that is used by runs, packs or schedules can’t be deleted.</p>
    </ConfirmButton>
  );
}
