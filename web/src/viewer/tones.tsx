/** Colours of the viewer, always beside a word. */
import type { Tone } from '../../../src/view/index.ts';
import type { Mark } from '../../../src/view/texts.ts';
import { Badge, type Tone as BadgeTone } from '../ui/badge.tsx';

const BADGES: Readonly<Record<Tone, BadgeTone>> = { good: 'good', bad: 'bad', fault: 'warning', open: 'live' };

export function StatusChip({ status, tone }: { status: string; tone: Tone }) {
  return <Badge tone={BADGES[tone]}>{status}</Badge>;
}

const VERDICTS: Readonly<Record<string, BadgeTone>> = { pass: 'good', fail: 'bad' };

/** Of a grader. */
export function VerdictChip({ verdict }: { verdict: string }) {
  return <Badge tone={VERDICTS[verdict] ?? 'warning'}>{verdict}</Badge>;
}

const MARKS: Readonly<Record<Mark, string>> = { pass: '✓', fail: '✗', inconclusive: '?' };

/** Of a contract or of one of its conditions. */
export function VerdictMark({ verdict }: { verdict: Mark }) {
  return (
    <span className={`v-mark v-mark-${verdict}`} title={`contract: ${verdict}`}>
      <span aria-hidden="true">{MARKS[verdict]}</span>
      <span className="visually-hidden">{verdict}</span>
    </span>
  );
}

export function Tag({ children, bad = false }: { children: string; bad?: boolean | undefined }) {
  return <span className={bad ? 'v-tag v-tag-bad' : 'v-tag'}>{children}</span>;
}
