/** Parts of a row of a run of any kind. */
import { Link } from '@tanstack/react-router';
import type { AnyRun } from '../api/queries.ts';
import { SELF_REPORTED } from '../home/model-cells.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { percent } from '../ui/format.ts';
import { anyRunName, anyRunPage, isOfTestModel, TEST_MODEL } from './any-run-name.ts';
import { RunTags, ScoringBadge } from './run-badges.tsx';

const STATES: Readonly<Record<AnyRun['state'], Tone>> = {
  queued: 'live',
  running: 'live',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  stopped: 'warning',
};

export function StateBadge({ state }: Pick<AnyRun, 'state'>) {
  return <Badge tone={STATES[state]}>{state}</Badge>;
}

/** The state, and that of the scoring where the run is scored for itself. */
export function RunState({ run: { state, scoring } }: { run: AnyRun }) {
  const hasScoring = scoring !== null && (state === 'completed' || scoring !== 'none');
  return (
    <span className="badges">
      {(state !== 'completed' || scoring === null) && <StateBadge state={state} />}
      {hasScoring && <ScoringBadge status={scoring} />}
    </span>
  );
}

export function RunLink({ run }: { run: AnyRun }) {
  return (
    <Link to={anyRunPage(run)} params={{ id: run.id }}>
      {anyRunName(run)}
    </Link>
  );
}

/** What kind of run it is where that is not plain, the experiment that it is of, and its tags. */
export function RunLabels({ run }: { run: AnyRun }) {
  const { kind, experiment, tags } = run;
  return (
    <>
      {kind === 'capture' && <span className="capture-label">{SELF_REPORTED}</span>}
      {kind === 'agent' && <span className="capture-label">agent in browsers</span>}
      {isOfTestModel(run) && (
        <>
          {' '}
          <span className="capture-label">{TEST_MODEL}</span>
        </>
      )}
      {experiment !== null && (
        <>
          {' '}
          <ExperimentLink label={experiment} />
        </>
      )}
      <RunTags tags={tags} />
    </>
  );
}

function ExperimentLink({ label }: { label: string }) {
  return (
    <Link to="/experiments/$label" params={{ label }} className="tag">
      {`experiment ${label}`}
    </Link>
  );
}

/** How much of what was planned is scored or has finished. */
export function Coverage({ run: { done, planned } }: { run: AnyRun }) {
  return (
    <>
      {percent(done === null || planned === 0 ? null : done / planned)}{' '}
      <span className="muted">
        {done ?? '–'}/{planned}
      </span>
    </>
  );
}
