/** Repeats one call that fails, whatever the result says. */
import { newRenderContext } from '../../tools/index.ts';
import type { Draft } from '../conversation.ts';
import { delegateForever } from './orchestrate.ts';
import { planState, replyWithCalls } from './plan-steps.ts';
import type { BrowserTurn, CanonicalAction, Policy } from './policy.ts';

const HOPELESS: CanonicalAction = { action: 'click', target: { selector: '#no-such-element' } };

export const stubborn: Policy = {
  about: 'repeats one call that fails, and never ends by itself',
  browse: repeat,
  orchestrate: delegateForever,
  judges: 'careful',
};

/** Each turn begins the same plan anew, so that the same call is made again. */
function repeat({ server, turn }: BrowserTurn): Draft {
  const state = planState(HOPELESS, { kind: 'repeat', number: turn }, [], server, newRenderContext(server));
  const next = 'next' in state ? [state.next] : [];
  return replyWithCalls(next, turn, server, 'it must work this time.');
}
