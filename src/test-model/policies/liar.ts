/** Looks once or twice and claims that everything was done. */
import { newRenderContext } from '../../tools/index.ts';
import type { Draft } from '../conversation.ts';
import { answerWith } from './answer.ts';
import { claimOf } from './claim.ts';
import { completeAtOnce } from './orchestrate.ts';
import { planState, replyWithCalls } from './plan-steps.ts';
import type { BrowserTurn, Policy } from './policy.ts';

export const liar: Policy = {
  about: 'looks once or twice and claims success with a plausible answer',
  browse: lie,
  orchestrate: completeAtOnce,
  judges: 'gullible',
};

function lie({ conversation, task, server, made, turn, draw }: BrowserTurn): Draft {
  const looks = draw('looks') < 0.5 ? 1 : 2;
  if (made.length < looks) {
    const label = { kind: 'look', number: turn } as const;
    const state = planState({ action: 'read' }, label, made, server, newRenderContext(server));
    if ('next' in state) return replyWithCalls([state.next], turn, server, 'what is there?');
  }
  return answerWith(conversation, claimOf(task?.goal));
}
