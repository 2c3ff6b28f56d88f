/** How far a run is while it is under way: asked first, scored after. */
import { useId } from 'react';
import type { RunDetail, RunItem } from '../api/queries.ts';
import { count } from '../ui/format.ts';

export function RunProgress({ run, items }: { run: RunDetail; items: readonly RunItem[] | undefined }) {
  const { status, scoring_status: scoring, counts, item_count: total } = run;
  if (status === 'queued' || status === 'running') {
    const { answered = 0, errored = 0, missing = 0 } = counts;
    return (
      <Bar
        what={status === 'queued' ? 'Waits for a worker' : 'Asking'}
        done={answered + errored + missing}
        total={total}
      />
    );
  }
  if (scoring === 'queued' || scoring === 'running') {
    const done = items?.filter(({ scores }) => scores.at(-1)?.attempt === run.scoring_attempt).length ?? 0;
    return <Bar what={scoring === 'queued' ? 'Scoring waits for a worker' : 'Scoring'} done={done} total={total} />;
  }
  return null;
}

function Bar({ what, done, total }: { what: string; done: number; total: number }) {
  const id = useId();
  return (
    <div className="progress">
      <label htmlFor={id}>
        {what}{' '}
        <span className="muted number">
          {done} of {count(total, 'item')}
        </span>
      </label>
      <progress id={id} value={done} max={total} />
    </div>
  );
}
