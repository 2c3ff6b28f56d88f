/** What a reader must not miss: why a run ended, why it is not scored, and what was odd about the capture. */
import type { RunDetail } from '../api/queries.ts';
import { Notice, type NoticeTone } from '../ui/notice.tsx';
import { stateTitle } from './run-words.ts';

const SCORING: Partial<Record<RunDetail['scoring_status'], { tone: NoticeTone; title: string; next: string }>> = {
  blocked: {
    tone: 'warning',
    title: 'Scoring is blocked',
    next: 'Rescore with a judge to score what is left. What was scored stays.',
  },
  failed: { tone: 'error', title: 'Scoring failed', next: 'Rescore to try again. The answers are not touched.' },
  partial: {
    tone: 'warning',
    title: 'Some items could not be scored',
    next: 'They count neither as right nor as wrong. Rescore to try them again.',
  },
};

export function RunNotices({ run }: { run: RunDetail }) {
  const scoring = SCORING[run.scoring_status];
  return (
    <>
      {run.status_reason && (
        <Notice tone={run.status === 'failed' ? 'error' : 'warning'} title={stateTitle(run.status)}>
          <p>{run.status_reason}</p>
        </Notice>
      )}
      {scoring && (
        <Notice tone={scoring.tone} title={scoring.title}>
          <p>{run.scoring_reason ?? 'No reason was recorded.'}</p>
          <p className="muted">{scoring.next}</p>
        </Notice>
      )}
      {run.warnings.length > 0 && (
        <Notice tone="warning" title="About this capture">
          <ul>
            {run.warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>
                {message} <code className="code">{code}</code>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
