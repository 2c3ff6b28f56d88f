/** Two runs of one dataset version, item by item. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { comparisonQuery, MAX_PAGE, runQuery, runsQuery } from '../api/queries.ts';
import { runName } from '../runs/run-name.ts';
import '../runs/runs.css';
import '../runs/run.css';
import './compare.css';
import { Page } from '../shell/page.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { ComparisonView } from './comparison-view.tsx';
import { RunPicker } from './run-picker.tsx';

export default function ComparePage() {
  const { a, b } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const runs = useQuery(runsQuery({ limit: MAX_PAGE }));
  // A link may name a run that is older than the list.
  const [runA, runB] = [useRun(a), useRun(b)];
  const pick = (part: { a?: string | undefined; b?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  return (
    <Page
      title="Compare"
      about="Two runs of the same version of a dataset, item by item: what differs, and whether that is more than chance."
    >
      <QueryState query={runs} what="runs">
        {({ runs: known }) =>
          known.length < 2 && !(a && b) ? (
            <Empty title="Two runs are needed to compare.">
              <p>Launch a dataset on two models, or capture a chat page's answers to the same dataset.</p>
              <div className="actions actions-centre">
                <ButtonLink to="/launch">Launch a run</ButtonLink>
                <ButtonLink to="/browser-harness">Open the Browser Harness</ButtonLink>
              </div>
            </Empty>
          ) : (
            <div className="columns">
              <RunPicker label="Run A" runs={known} run={runA} id={a} onPick={(id) => pick({ a: id })} />
              <RunPicker
                label="Run B"
                runs={known.filter(({ id }) => id !== a)}
                run={runB}
                id={b}
                like={runA}
                onPick={(id) => pick({ b: id })}
              />
            </div>
          )
        }
      </QueryState>
      {a && b && <Compared a={a} b={b} />}
    </Page>
  );
}

const useRun = (id: string | undefined) => useQuery({ ...runQuery(id ?? ''), enabled: id !== undefined }).data;

function Compared({ a, b }: { a: string; b: string }) {
  const query = useQuery(comparisonQuery(a, b));
  const [runA, runB] = [useRun(a), useRun(b)];
  return (
    <QueryState query={query} what="the comparison">
      {(comparison) =>
        runA && runB ? (
          <>
            <p>
              A is{' '}
              <Link to="/runs/$id" params={{ id: a }}>
                {runName(runA)}
              </Link>
              , B is{' '}
              <Link to="/runs/$id" params={{ id: b }}>
                {runName(runB)}
              </Link>
              .
            </p>
            <ComparisonView comparison={comparison} a={runA} b={runB} />
          </>
        ) : null
      }
    </QueryState>
  );
}
