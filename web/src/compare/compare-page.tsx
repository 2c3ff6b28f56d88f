/** Two runs beside each other: questions of one dataset version item by item, or tasks of agents case by case. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type AnyRun, allRunsQuery, anyRunQuery, MAX_PAGE } from '../api/queries.ts';
import { RunLink } from '../runs/any-run-parts.tsx';
import '../runs/runs.css';
import '../runs/run.css';
import './compare.css';
import { Page } from '../shell/page.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import { isOfDataset } from './comparable.ts';
import { EpisodeComparison } from './episode-comparison.tsx';
import { QuestionComparison } from './question-comparison.tsx';
import { RunPicker } from './run-picker.tsx';

export default function ComparePage() {
  const { a, b } = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const runs = useQuery(allRunsQuery({ limit: MAX_PAGE }));
  // A link may name a run that is older than the list.
  const [runA, runB] = [useQuery(anyRunOf(a)), useQuery(anyRunOf(b))];
  const pick = (part: { a?: string | undefined; b?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  return (
    <Page
      title="Compare"
      about="Two runs of the same questions or of the same tasks, pair by pair: what differs, and whether that is more than chance."
    >
      <QueryState query={runs} what="runs">
        {({ runs: known }) =>
          known.length < 2 && !(a && b) ? (
            <NoRuns />
          ) : (
            <div className="columns">
              <RunPicker label="Run A" runs={known} run={runA.data} id={a} onPick={(id) => pick({ a: id })} />
              <RunPicker
                label="Run B"
                runs={known.filter(({ id }) => id !== a)}
                run={runB.data}
                id={b}
                like={runA.data}
                onPick={(id) => pick({ b: id })}
              />
            </div>
          )
        }
      </QueryState>
      {a && b && (
        <QueryState query={runA} what="run A">
          {(ofA) => (
            <QueryState query={runB} what="run B">
              {(ofB) => <Compared a={ofA} b={ofB} />}
            </QueryState>
          )}
        </QueryState>
      )}
    </Page>
  );
}

const anyRunOf = (id: string | undefined) => ({ ...anyRunQuery(id ?? ''), enabled: id !== undefined });

function Compared({ a, b }: { a: AnyRun; b: AnyRun }) {
  return (
    <>
      <p>
        A is <RunLink run={a} />, B is <RunLink run={b} />.
      </p>
      {isOfDataset(a) && isOfDataset(b) ? (
        <QuestionComparison a={a.id} b={b.id} />
      ) : (
        // The server refuses what can't be compared, and says why.
        <EpisodeComparison key={`${a.id} ${b.id}`} a={a} b={b} />
      )}
    </>
  );
}

function NoRuns() {
  return (
    <Empty title="Two runs are needed to compare.">
      <p>Run a dataset on two models, capture a chat page's answers to the same dataset, or run an agent twice.</p>
      <div className="actions actions-centre">
        <ButtonLink to="/launch">Run a dataset</ButtonLink>
        <ButtonLink to="/browser-harness">Open the Browser Harness</ButtonLink>
      </div>
    </Empty>
  );
}
