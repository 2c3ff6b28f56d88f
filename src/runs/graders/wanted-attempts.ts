/** Which attempts of a run are graded again. */
import { decidingGrade } from '../../cases/index.ts';
import { episodeResult, type Grade } from '../../events/index.ts';
import type { AttemptReader } from '../../graders/index.ts';
import { isAgentOutcome } from '../../metrics/index.ts';

/** `ungraded`: by the grader in question; it has said neither pass nor fail. */
export const GRADED_AGAIN = ['failed', 'passed', 'ungraded'] as const;
export type GradedAgain = (typeof GRADED_AGAIN)[number];

/** Failed or passed by the grade that decides; what was not the agent's doing is neither. */
export function endedAs(
  as: 'failed' | 'passed',
  { subject, events }: AttemptReader,
  grades: readonly Grade[],
): boolean {
  if (subject.kind === 'question') return decidingGrade(grades)?.verdict === (as === 'passed' ? 'pass' : 'fail');
  const { outcome } = episodeResult(events, { artifacts: { eventsJsonl: '', reportJson: '' }, grades });
  return as === 'passed' ? outcome === 'passed' : outcome !== 'passed' && isAgentOutcome(outcome);
}
