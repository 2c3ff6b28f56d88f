/** Where a run came from: the capture that was imported. */
import { useQuery } from '@tanstack/react-query';
import { urlOf } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { count, dateTime } from '../ui/format.ts';
import { QueryState } from '../ui/states.tsx';

const PATH = '/browser-harness/imports/{id}';

export function ImportPanel({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => call('get', PATH, { params: { id }, signal }),
  });
  return (
    <section className="panel" aria-labelledby="import">
      <div className="panel-head">
        <h2 id="import">Import</h2>
        <a href={urlOf(PATH, { id })}>As JSON</a>
      </div>
      <QueryState query={query} what="the import">
        {({ counts, imported_at, payload_sha256, provider_name, provider_reused }) => (
          <dl className="facts">
            <div>
              <dt>Items</dt>
              <dd>
                {count(counts.expected, 'item')} in the pack, {counts.received} in the capture: {counts.answered}{' '}
                answered, {counts.errored} with an error, {counts.missing} missing
              </dd>
            </div>
            <div>
              <dt>Provider</dt>
              <dd>
                {provider_name}{' '}
                <span className="muted">{provider_reused ? 'existing provider' : 'created by this import'}</span>
              </dd>
            </div>
            <div>
              <dt>Imported</dt>
              <dd>{dateTime(imported_at)}</dd>
            </div>
            <div>
              <dt>SHA-256</dt>
              <dd className="mono">{payload_sha256}</dd>
            </div>
          </dl>
        )}
      </QueryState>
    </section>
  );
}
