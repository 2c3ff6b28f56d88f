/** The runs of one experiment together: what each came to, and every case in each of them. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnyRun, type Experiment, experimentQuery } from '../api/queries.ts';
import '../runs/runs.css';
import '../viewer/viewer.css';
import { PickedRuns } from '../runs/picked-runs.tsx';
import { Page } from '../shell/page.tsx';
import { count } from '../ui/format.ts';
import { QueryState } from '../ui/states.tsx';
import { ExperimentMatrix } from './experiment-matrix.tsx';
import { ExperimentTable } from './experiment-table.tsx';

export default function ExperimentPage() {
  const { label } = useParams({ from: '/experiments/$label' });
  return <ExperimentOf key={label} label={label} />;
}

function ExperimentOf({ label }: { label: string }) {
  const query = useQuery(experimentQuery(label));
  return (
    <Page
      title={`Experiment ${label}`}
      trail={
        <Link to="/runs" search={{ experiment: label }}>
          Runs of this experiment
        </Link>
      }
      about={query.data && aboutOf(query.data)}
    >
      <QueryState query={query} what="the experiment">
        {(experiment) => <Runs experiment={experiment} />}
      </QueryState>
    </Page>
  );
}

function aboutOf({ runs, cases, leftOut }: Experiment): string {
  const older = leftOut > 0 ? ` ${count(leftOut, 'older run')} ${leftOut === 1 ? 'is' : 'are'} not shown.` : '';
  return `${count(runs.length, 'run')} with ${count(cases.length, 'case')}.${older}`;
}

function Runs({ experiment }: { experiment: Experiment }) {
  const [picked, setPicked] = useState<readonly AnyRun[]>([]);
  return (
    <>
      <section className="panel" aria-label="Runs of the experiment">
        <PickedRuns picked={picked} onClear={() => setPicked([])} />
        <ExperimentTable runs={experiment.runs} picked={picked} onPick={setPicked} />
      </section>
      <section className="panel" aria-labelledby="matrix">
        <h2 id="matrix">Cases by runs</h2>
        <ExperimentMatrix experiment={experiment} />
      </section>
    </>
  );
}
