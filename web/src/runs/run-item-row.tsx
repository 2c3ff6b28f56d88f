/** An item: one line, which opens to what was asked, what came back, and every score. What comes from outside is shown as text, always. */
import { useState } from 'react';
import type { RunDetail, RunItem } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { cost, duration, tokens, UNKNOWN_USAGE } from '../ui/format.ts';
import { verdictOf } from './item-filter.ts';
import { ItemGrades } from './item-grades.tsx';
import { ItemScores } from './item-scores.tsx';
import { VerdictBadge } from './run-badges.tsx';
import { statusText } from './run-words.ts';

export function RunItemRow({ run, item }: { run: RunDetail; item: RunItem }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="item" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="item-verdict">
          {item.status === 'answered' ? <VerdictBadge verdict={verdictOf(item)} /> : <StatusOf run={run} item={item} />}
        </span>
        <span className="item-id mono">{item.id}</span>
        <span className="item-texts">
          <span className="item-prompt">{shortened(item.prompt_text)}</span>
          <span className="item-answer">{answerOf(item)}</span>
        </span>
        <span className="item-time muted number">{duration(item.timing.latency_ms)}</span>
      </summary>
      {open && (
        <div className="item-body">
          <p className="muted">
            {item.section} · {item.type}
            {item.model_label && ` · ${item.model_label}`}
          </p>
          {/* An API may say what the call used; a page can't. */}
          {run.provider.surface === 'api' && item.status === 'answered' && <UsageOf item={item} />}
          <h3>Prompt</h3>
          <pre className="quoted">{item.prompt_text}</pre>
          {item.error && (
            <>
              <h3>Error</h3>
              <p>
                {item.error.message} <code className="code">{item.error.code}</code>
              </p>
            </>
          )}
          {item.response !== null && (
            <>
              <h3>{item.error ? 'What had come until then' : 'Response'}</h3>
              <pre className="quoted">{item.response}</pre>
            </>
          )}
          <ItemScores scores={item.scores} status={item.status} />
          {run.summary.graders.length > 0 && <ItemGrades runId={run.id} itemId={item.id} />}
        </div>
      )}
    </details>
  );
}

function UsageOf({ item: { usage } }: { item: RunItem }) {
  const used = usage ?? UNKNOWN_USAGE;
  return (
    <p className="muted">
      Tokens: {tokens(used)} · Cost: {cost(used)}
    </p>
  );
}

/** Not answered is not wrong: it gets no verdict's colour. */
function StatusOf({ run, item: { status } }: { run: RunDetail; item: RunItem }) {
  return <Badge tone={status === 'error' ? 'warning' : 'neutral'}>{statusText(status, run.provider.surface)}</Badge>;
}

/** What came back, in one line. */
function answerOf({ status, response, error }: RunItem): string {
  if (error) return `Error: ${shortened(error.message)}`;
  if (response !== null) return `Answer: ${shortened(response)}`;
  return status === 'pending' ? 'Not asked yet' : 'No answer';
}

/** More than fits into the row, so that its style decides where the text is cut. */
const LONGEST = 300;
function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
