/** Every score that an item was given, the latest first. Nothing is ever overwritten. */
import type { RunItem, Score } from '../api/queries.ts';
import { dateTime, duration } from '../ui/format.ts';
import { VerdictBadge } from './run-badges.tsx';

export function ItemScores({ scores, status }: Pick<RunItem, 'scores' | 'status'>) {
  return (
    <>
      <h3>Scores</h3>
      {scores.length === 0 && (
        <p className="muted">{status === 'answered' ? 'Not scored.' : 'Not scored: there is no answer to score.'}</p>
      )}
      <ul className="scores">
        {scores.toReversed().map((score, index) => (
          <li key={score.attempt}>
            <p>
              <VerdictBadge verdict={score.verdict} /> {score.value !== null && <strong>{score.value}</strong>}{' '}
              <span className="muted">
                by {score.method}, attempt {score.attempt}
                {index === 0 && scores.length > 1 ? ' (counts)' : ''}, {dateTime(score.created_at)}
              </span>
            </p>
            <ScoreDetail score={score} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ScoreDetail({ score: { detail, judge } }: { score: Score }) {
  const { reason, ...rest } = detail;
  const facts = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  return (
    <>
      {typeof reason === 'string' && <p>{reason}</p>}
      {facts.map(([name, value]) => (
        <p key={name}>
          <span className="muted">{name}</span> <span className="mono">{textOf(value)}</span>
        </p>
      ))}
      {judge && (
        <details className="judge">
          <summary>
            Judge {textOf(judge['model'])}
            {typeof judge['latency_ms'] === 'number' && `, ${duration(judge['latency_ms'])}`}
          </summary>
          <dl className="facts">
            {Object.entries(judge)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => (
                <div key={name}>
                  <dt>{name.replaceAll('_', ' ')}</dt>
                  <dd className="mono">{textOf(value)}</dd>
                </div>
              ))}
          </dl>
        </details>
      )}
    </>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
