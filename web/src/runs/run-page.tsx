/** One run: how it stands, what it came to, every item with every score, and its log as it is written. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type RunDetail, runQuery } from '../api/queries.ts';
import { useRunLog } from '../live/use-run-log.ts';
import { Page } from '../shell/page.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { QueryState } from '../ui/states.tsx';
import { DeleteRunButton } from './delete-run-button.tsx';
import { GradeButton } from './grade-button.tsx';
import { GradersPanel } from './graders-panel.tsx';
import { ImportPanel } from './import-panel.tsx';
import { LatencyPanel } from './latency-panel.tsx';
import { RescoreButton } from './rescore-button.tsx';
import { RunControl } from './run-control.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunItemsPanel } from './run-items-panel.tsx';
import { RunLogPanel } from './run-log-panel.tsx';
import { runDetails, runName } from './run-name.ts';
import { RunNotices } from './run-notices.tsx';
import { RunProgress } from './run-progress.tsx';
import './runs.css';
import './run.css';
import { SectionsPanel } from './sections-panel.tsx';
import { SummaryPanel } from './summary-panel.tsx';
import { useRunItems } from './use-run-items.ts';

export default function RunPage() {
  const { id } = useParams({ from: '/runs/$id' });
  return <RunOf key={id} id={id} />;
}

const trail = <Link to="/runs">All runs</Link>;

function RunOf({ id }: { id: string }) {
  const query = useQuery(runQuery(id));
  if (query.data) return <RunView run={query.data} />;
  return (
    <Page title="Run" trail={trail}>
      <QueryState query={query} what="the run">
        {() => null}
      </QueryState>
    </Page>
  );
}

function RunView({ run }: { run: RunDetail }) {
  const log = useRunLog(run.id);
  const all = useRunItems(run.id);
  return (
    <Page
      title={runName(run)}
      trail={trail}
      about={runDetails(run)}
      actions={
        <>
          <RunControl run={run} />
          <RescoreButton run={run} items={all.items} />
          <GradeButton run={run} />
          <ButtonLink to="/compare" search={{ a: run.id }}>
            Compare
          </ButtonLink>
          <DeleteRunButton run={run} />
        </>
      }
    >
      <RunProgress run={run} items={all.items} />
      <RunNotices run={run} />
      <div className="columns">
        <div className="stack">
          <SummaryPanel run={run} />
          <SectionsPanel summary={run.summary} />
          <LatencyPanel items={all.items} />
        </div>
        <div className="stack">
          <RunFacts run={run} />
        </div>
      </div>
      <GradersPanel run={run} />
      <RunItemsPanel run={run} all={all} />
      {run.import_id && <ImportPanel id={run.import_id} />}
      <RunLogPanel log={log} />
    </Page>
  );
}
