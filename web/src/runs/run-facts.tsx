import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunDetail } from '../api/queries.ts';
import { cost, dateTime, duration, shortHash, tokens, UNKNOWN_USAGE } from '../ui/format.ts';
import { EditButton } from './edit-button.tsx';
import { CaptureLabel, RunTags, ScoringBadge, StatusBadge } from './run-badges.tsx';

const TRIGGERS = {
  manual: 'launched by hand',
  schedule: 'launched by a schedule',
  browser_harness: 'imported capture',
};

export function RunFacts({ run }: { run: RunDetail }) {
  const { dataset, provider, model_labels: labels } = run;
  const took = run.started_at && run.finished_at ? Date.parse(run.finished_at) - Date.parse(run.started_at) : null;
  return (
    <section className="panel" aria-labelledby="facts">
      <div className="panel-head">
        <h2 id="facts">About the run</h2>
        <EditButton run={run} />
      </div>
      <dl className="facts">
        <Fact name="Status">
          <span className="badges">
            <StatusBadge status={run.status} />
            <ScoringBadge status={run.scoring_status} />
          </span>
        </Fact>
        <Fact name="Provider">
          {provider.name} <span className="muted">{provider.browser_target?.origin ?? provider.surface}</span>{' '}
          <CaptureLabel run={run} />
        </Fact>
        <Fact name={labels.length > 1 ? 'Models' : 'Model'}>
          {labels.length > 0 ? labels.join(', ') : (run.model ?? '–')}
        </Fact>
        <Fact name="Dataset">
          <Link to="/datasets/$id" params={{ id: dataset.id }}>
            {dataset.name}
          </Link>{' '}
          <span className="muted">
            version <span className="mono">{shortHash(dataset.version_hash)}</span>
            {dataset.is_current ? '' : ', not the current one'}
          </span>
        </Fact>
        {run.label !== '' && <Fact name="Label">{run.label}</Fact>}
        {run.tags.length > 0 && (
          <Fact name="Tags">
            <RunTags tags={run.tags} />
          </Fact>
        )}
        <Fact name="Made by">{TRIGGERS[run.triggered_by]}</Fact>
        <Fact name="Asked">
          {dateTime(run.started_at)} <span className="muted">{took !== null && `took ${duration(took)}`}</span>
        </Fact>
        {/* The calls of a captured page can't be counted, and those of a run are summed at its end. */}
        {provider.surface === 'api' && run.finished_at && (
          <>
            <Fact name="Tokens">{tokens(run.usage ?? UNKNOWN_USAGE)}</Fact>
            <Fact name="Cost">{cost(run.usage ?? UNKNOWN_USAGE)}</Fact>
          </>
        )}
        {run.imported_at && <Fact name="Imported">{dateTime(run.imported_at)}</Fact>}
        <Fact name="Scoring">
          {run.scoring_attempt === 0 ? 'not begun' : `attempt ${run.scoring_attempt}`}{' '}
          <span className="muted">{judgeOf(run)}</span>
        </Fact>
        <Fact name="Id">
          <span className="mono">{run.id}</span>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function judgeOf({ config }: RunDetail): string {
  const judge = config['judge'];
  const model = typeof judge === 'object' && judge !== null && 'model' in judge ? judge.model : undefined;
  return typeof model === 'string' ? `judge ${model}` : 'no judge';
}
