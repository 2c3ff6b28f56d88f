/** The next call of a task's transcript, after the calls that the conversation shows. */
import type { Transcript } from '../../agents/index.ts';
import { newRenderContext } from '../../tools/index.ts';
import type { PlanLabel } from './call-marks.ts';
import { type PlannedCall, type PlanState, planState } from './plan-steps.ts';
import type { BrowserTurn } from './policy.ts';

export type NextMove =
  | { readonly kind: 'call'; readonly next: PlannedCall; readonly about: string }
  /** Every move was made. */
  | { readonly kind: 'arrived' }
  /** The transcript can't be followed. */
  | { readonly kind: 'stuck'; readonly sentence: string };

export function nextMove({ task, server, made }: BrowserTurn): NextMove {
  const transcript = task?.transcript;
  if (!task || !transcript) return { kind: 'stuck', sentence: 'I do not know this task.' };
  const { profile } = server;
  if (transcript.servers && !transcript.servers.includes(profile.name))
    return { kind: 'stuck', sentence: `I know this task only with ${transcript.servers.join(', ')}.` };
  const context = newRenderContext(server);
  const lastMade = Math.max(0, ...made.filter(({ label }) => label.kind === 'move').map(({ label }) => label.number));
  for (const [index, move] of transcript.moves.entries()) {
    const number = index + 1;
    if (number < task.range.from || number > task.range.to) continue;
    const state = stateOf(move, { kind: 'move', number }, { made, server, context });
    // A later call proves that this move has ended, even where its results are not there any more.
    if (number < lastMade) continue;
    if ('next' in state) return { kind: 'call', next: state.next, about: `${number} of ${transcript.moves.length}` };
    if (state.end.status === 'unsupported') return { kind: 'stuck', sentence: state.end.sentence };
  }
  return { kind: 'arrived' };
}

interface Surroundings extends Pick<BrowserTurn, 'made' | 'server'> {
  readonly context: ReturnType<typeof newRenderContext>;
}

function stateOf(
  move: Transcript['moves'][number],
  label: PlanLabel,
  { made, server, context }: Surroundings,
): PlanState {
  if ('action' in move) return planState(move.action, label, made, server, context);
  const isMade = made.some((call) => call.label.kind === label.kind && call.label.number === label.number);
  if (isMade) return { end: { status: 'done' } };
  return { next: { label, call: 1, tool: move.call.tool, arguments: move.call.arguments } };
}
