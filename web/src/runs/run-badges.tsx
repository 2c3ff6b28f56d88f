/** The states of a run, of its scoring and of a score, as words with a colour. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Run } from '../api/queries.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import type { Verdict } from './item-filter.ts';

const STATUS: Record<Run['status'], Tone> = {
  queued: 'live',
  running: 'live',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

const SCORING: Record<Run['scoring_status'], { tone: Tone; text: string }> = {
  none: { tone: 'neutral', text: 'not scored' },
  queued: { tone: 'live', text: 'scoring queued' },
  running: { tone: 'live', text: 'scoring' },
  done: { tone: 'good', text: 'scored' },
  partial: { tone: 'warning', text: 'partly scored' },
  failed: { tone: 'bad', text: 'scoring failed' },
  blocked: { tone: 'warning', text: 'scoring blocked' },
};

const VERDICT: Record<Verdict, Tone> = {
  pass: 'good',
  fail: 'bad',
  error: 'warning',
  skipped: 'neutral',
  unscored: 'neutral',
};

export function StatusBadge({ status }: Pick<Run, 'status'>) {
  return <Badge tone={STATUS[status]}>{status}</Badge>;
}

export function ScoringBadge({ status }: { status: Run['scoring_status'] }) {
  const { tone, text } = SCORING[status];
  return <Badge tone={tone}>{text}</Badge>;
}

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  return <Badge tone={VERDICT[verdict]}>{verdict}</Badge>;
}

/** In every view of a capture: the token proves which pack was used, not that the answers are genuine. */
export function CaptureLabel({ run }: { run: Pick<Run, 'capture_label'> }) {
  return run.capture_label && <span className="capture-label">{run.capture_label}</span>;
}

/** What people sort runs by. Each leads to the runs that have it. */
export function RunTags({ tags }: Pick<Run, 'tags'>) {
  return tags.map((tag) => (
    <Fragment key={tag}>
      {' '}
      <Link to="/runs" search={{ tag }} className="tag">
        {tag}
      </Link>
    </Fragment>
  ));
}
