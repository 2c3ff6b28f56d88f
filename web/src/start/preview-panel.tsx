/** What the run would do and may cost at most, or what it lacks. */
import { count, duration } from '../ui/format.ts';
import { Failure } from '../ui/problem.tsx';
import type { Preview, StartCheck } from './start-queries.ts';

export function PreviewPanel({ check: { preview, isChecking, error } }: { check: StartCheck }) {
  if (error) return <Failure error={error} />;
  return (
    <div role="status" className="start-preview">
      {preview ? (
        <dl className="facts">
          {rowsOf(preview).map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="muted">
          {isChecking ? 'Making a preview …' : 'Choose a suite and a variant to see what would be run.'}
        </p>
      )}
    </div>
  );
}

function rowsOf({ episodes, tasks, trials, workers, agent, server, worstCase, retries }: Preview): [string, string][] {
  const { attempts, steps, durationMs, tokens, costUsd } = worstCase;
  return [
    ['Episodes', `${episodes.toLocaleString('en')} (${count(tasks, 'task')} × ${count(trials, 'trial')})`],
    [
      'By',
      `${agent} on ${server}, ${workers} at a time${retries > 0 ? `, ${count(retries, 'retry', 'retries')}` : ''}`,
    ],
    ['At most', `${count(attempts, 'attempt')}, ${count(steps, 'step')}, ${duration(durationMs)}`],
    ['Tokens', tokens === null ? 'not known: no cap' : `at most ${tokens.toLocaleString('en')}`],
    ['Cost', costUsd === null ? 'not known: no cap that can be enforced' : `at most $${costUsd.toFixed(2)}`],
  ];
}
