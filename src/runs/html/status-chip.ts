/** How an episode ended, as a word on a colour: what passed, what the agent did not manage, what was no fault of the agent. */
import type { EpisodeResult } from '../../events/index.ts';
import { isAgentOutcome } from '../../metrics/index.ts';
import { type Html, html } from './html.ts';

/** The status is by the contract; where another grader decides, the outcome class has its verdict. */
export function statusChip({
  status,
  success,
  outcome,
  decidedBy,
}: Pick<EpisodeResult, 'status' | 'success' | 'outcome' | 'decidedBy'>): Html {
  const tone = success ? 'good' : isAgentOutcome(outcome) ? 'bad' : 'fault';
  return html`<span class="chip ${tone}">${decidedBy === undefined ? status : outcome}</span>`;
}
