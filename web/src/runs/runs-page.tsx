/** All runs: filters, search and order in the address, live while something is under way, two of them picked to compare. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { urlOf } from '../../../src/server/client.ts';
import { type AnyRun, allRunsQuery } from '../api/queries.ts';
import { useLiveRuns } from '../live/use-live-runs.ts';
import { Page } from '../shell/page.tsx';
import { Button, FileLink } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { ListFoot } from '../ui/list-foot.tsx';
import { pageSize } from '../ui/page-size.ts';
import { Empty, QueryState } from '../ui/states.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { BeginLinks, NoRuns } from './begin-a-run.tsx';
import { PickedRuns } from './picked-runs.tsx';
import './runs.css';
import { RunFilters } from './run-filters.tsx';
import { RunTable } from './run-table.tsx';
import { filterOf, type RunsSearch } from './runs-search.ts';

export default function RunsPage() {
  const search = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  /** Where the pages before this one ended. */
  const [pages, setPages] = useState<readonly string[]>([]);
  const [size] = useState(pageSize);
  const [picked, setPicked] = useState<readonly AnyRun[]>([]);
  const wanted = filterOf(useSettled(search));
  // While a filter changes, the last list stays.
  const query = useQuery({
    ...allRunsQuery({ ...wanted, after: pages.at(-1), limit: size }),
    placeholderData: keepPreviousData,
  });
  useLiveRuns();
  const isFiltered = Object.keys(search).length > 0;
  const filter = (next: RunsSearch) => {
    setPages([]);
    void navigate({ search: next, replace: true });
  };
  return (
    <Page
      title="Runs"
      about="Questions asked of models, captured chat pages, and agents in browsers. Accuracy is over scored questions, or over all that an agent was to do; coverage says how many are scored or have finished."
      actions={<BeginLinks />}
    >
      <RunFilters search={search} onChange={filter} />
      <QueryState query={query} what="runs">
        {({ runs, total, next }) =>
          runs.length === 0 ? (
            isFiltered ? (
              <NoMatch onClear={() => filter({})} />
            ) : (
              <NoRuns />
            )
          ) : (
            <section className="panel" aria-label="Runs">
              <PickedRuns picked={picked} onClear={() => setPicked([])} />
              <RunTable runs={runs} picked={picked} onPick={setPicked} />
              {(pages.length > 0 || next !== null) && (
                <div className="pager">
                  <Button disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
                    Previous
                  </Button>
                  <span className="muted">
                    Page {pages.length + 1} of {Math.max(Math.ceil(total / size), pages.length + 1)}
                  </span>
                  <Button disabled={next === null} onClick={() => next !== null && setPages([...pages, next])}>
                    Next
                  </Button>
                </div>
              )}
              <ListFoot total={`${count(total, 'run')}${isFiltered ? ' found' : ''}`}>
                <FileLink small href={urlOf('/all-runs/export', {}, { ...wanted, format: 'csv' })}>
                  Export CSV
                </FileLink>
                <FileLink small href={urlOf('/all-runs/export', {}, { ...wanted, format: 'json' })}>
                  Export JSON
                </FileLink>
              </ListFoot>
            </section>
          )
        }
      </QueryState>
    </Page>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty title="No runs match these filters.">
      <Button onClick={onClear}>Show all runs</Button>
    </Empty>
  );
}
