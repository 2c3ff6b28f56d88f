/** What further graders said of an item: by grader and round, with reasons and files. */
import { useQuery } from '@tanstack/react-query';
import { urlOf } from '../../../src/server/client.ts';
import { type Grade, gradesQuery, MAX_PAGE } from '../api/queries.ts';
import { cost, count, dateTime, tokens } from '../ui/format.ts';
import { QueryState } from '../ui/states.tsx';
import { VerdictBadge } from './run-badges.tsx';

export function ItemGrades({ runId, itemId }: { runId: string; itemId: string }) {
  const query = useQuery(gradesQuery(runId, { item: itemId, limit: MAX_PAGE }));
  return (
    <>
      <h3>Further graders</h3>
      <QueryState query={query} what="grades">
        {({ grades }) => {
          const further = grades.filter(({ decides }) => !decides);
          if (further.length === 0) return <p className="muted">None has graded this item.</p>;
          return [...Map.groupBy(further, ({ grader }) => grader)].map(([grader, own]) => (
            <div key={grader}>
              <h4>{grader}</h4>
              <ul className="scores">
                {own.toReversed().map((grade) => (
                  <li key={grade.id}>
                    <GradeView runId={runId} grade={grade} />
                  </li>
                ))}
              </ul>
            </div>
          ));
        }}
      </QueryState>
    </>
  );
}

function GradeView({ runId, grade }: { runId: string; grade: Grade }) {
  const { id, verdict, score, round, model, version, reasoning, artifacts, created_at } = grade;
  return (
    <>
      <p>
        <VerdictBadge verdict={verdict} /> {score !== null && <strong>{score}</strong>}{' '}
        <span className="muted">
          round {round}
          {version !== null && `, version ${version}`}
          {model !== null && `, ${model}`}, {dateTime(created_at)}
        </span>
      </p>
      <p>{reasoning}</p>
      {grade.cost && (
        <p className="muted">
          {count(grade.cost.calls, 'call')} · Tokens: {tokens(grade.cost)} · Cost: {cost(grade.cost)}
        </p>
      )}
      {artifacts.length > 0 && (
        <ul className="files">
          {artifacts.map((key, number) => (
            <li key={key}>
              <a
                href={urlOf('/runs/{id}/grades/{grade}/artifacts/{number}', {
                  id: runId,
                  grade: String(id),
                  number: String(number),
                })}
              >
                {key.split('/').at(-1)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
