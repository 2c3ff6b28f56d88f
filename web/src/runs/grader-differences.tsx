/** Items where a further grader and the verdict that decides differ, with a link to each. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gradesQuery } from '../api/queries.ts';
import { QueryState } from '../ui/states.tsx';
import { VerdictBadge } from './run-badges.tsx';

const SHOWN = 50;

export function GraderDifferences({ runId }: { runId: string }) {
  const query = useQuery(gradesQuery(runId, { differs: 'true', limit: SHOWN + 1 }));
  return (
    <>
      <h3>Where graders differ from the verdict that decides</h3>
      <QueryState query={query} what="differences">
        {({ grades }) => (
          <>
            {grades.length === 0 && <p className="muted">Nowhere.</p>}
            <ul className="scores">
              {grades.slice(0, SHOWN).map((grade) => (
                <li key={grade.id}>
                  <p>
                    <Link
                      to="/runs/$id"
                      params={{ id: runId }}
                      search={{ text: grade.item_id }}
                      hash="items"
                      className="mono"
                    >
                      {grade.item_id}
                    </Link>{' '}
                    {grade.grader} <VerdictBadge verdict={grade.verdict} />
                    {grade.deciding && (
                      <>
                        {' '}
                        <span className="muted">decided by {grade.deciding.grader}</span>{' '}
                        <VerdictBadge verdict={grade.deciding.verdict} />
                      </>
                    )}
                  </p>
                  <p className="muted">{shortened(grade.reasoning)}</p>
                </li>
              ))}
            </ul>
            {grades.length > SHOWN && <p className="muted">Only the first {SHOWN} are listed.</p>}
          </>
        )}
      </QueryState>
    </>
  );
}

const LONGEST = 300;
function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
