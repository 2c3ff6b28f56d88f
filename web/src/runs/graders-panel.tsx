/** What further graders said of a run, beside the verdicts that decide; and what is asked of them now. */
import { useQuery } from '@tanstack/react-query';
import { type Grading, gradingsQuery, type RunDetail } from '../api/queries.ts';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { GraderDifferences } from './grader-differences.tsx';
import { GraderTables } from './grader-table.tsx';

export function GradersPanel({ run }: { run: RunDetail }) {
  const last = useQuery(gradingsQuery(run.id)).data?.gradings.at(-1);
  const { graders } = run.summary;
  if (graders.length === 0 && !last) return null;
  return (
    <section className="panel" aria-labelledby="graders">
      <div className="panel-head">
        <h2 id="graders">Graders</h2>
        <span className="muted">Side by side, never averaged</span>
      </div>
      {last && <LastGrading grading={last} />}
      {graders.length > 0 && (
        <>
          <GraderTables graders={graders} />
          <GraderDifferences runId={run.id} />
        </>
      )}
    </section>
  );
}

function LastGrading({ grading: { status, reason, counts, request } }: { grading: Grading }) {
  const names = request.graders.map(({ grader, ...rest }) => ('name' in rest ? rest.name : undefined) ?? grader);
  const given = counts.pass + counts.fail + counts.error + counts.skipped;
  if (status === 'done') return null;
  if (status === 'failed')
    return (
      <Notice tone="error" title={`Grading by ${names.join(' and ')} failed`}>
        <p>{reason}</p>
        <p className="muted">{count(given, 'grade')} that were given stay. Grade again to go on.</p>
      </Notice>
    );
  return (
    <p role="status">
      {status === 'queued'
        ? `Grading by ${names.join(' and ')} waits for a worker.`
        : `Grading by ${names.join(' and ')} is under way: ${count(given, 'grade')}, ${count(counts.calls, 'call')} so far.`}
    </p>
  );
}
