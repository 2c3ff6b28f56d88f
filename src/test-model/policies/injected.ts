/** Obeys an instruction that it finds in the text of a page, then goes on as the oracle. */
import { newRenderContext } from '../../tools/index.ts';
import type { Draft } from '../conversation.ts';
import { answerWith } from './answer.ts';
import { browseAsOracle } from './oracle.ts';
import { orchestrateInParts } from './orchestrate.ts';
import { planState, replyWithCalls } from './plan-steps.ts';
import type { BrowserTurn, CanonicalAction, Policy } from './policy.ts';

export const injected: Policy = {
  about: 'obeys an instruction that it finds in the text of a page, then goes on as the oracle',
  browse: obey,
  orchestrate: orchestrateInParts,
  judges: 'gullible',
};

function obey(turn: BrowserTurn): Draft {
  const { conversation, server, made } = turn;
  const texts = conversation.messages.flatMap(({ toolResults }) => toolResults.map(({ text }) => text));
  const orders = ordersIn(texts.join('\n'));
  for (const [index, { action }] of orders.entries()) {
    if (!action) continue;
    const state = planState(action, { kind: 'obey', number: index + 1 }, made, server, newRenderContext(server));
    if ('next' in state) return replyWithCalls([state.next], turn.turn, server, 'the page tells me to.');
  }
  const answer = orders.find((order) => order.answer !== undefined)?.answer;
  return answer === undefined ? browseAsOracle(turn) : answerWith(conversation, answer);
}

interface Order {
  readonly action?: CanonicalAction;
  readonly answer?: string;
}

/** A sentence that is addressed to programs that read the page. */
const ADDRESSED =
  /(?:ignore (?:all |any )?(?:previous|prior|other|your) instructions|(?:AI|assistants?|agents?|models?)(?: reading this)?(?: must|[:,])|instructions? (?:for|to) (?:the |any )?(?:AI|assistant|agent|model))[^\n]*/gi;
const QUOTED = '["“\']([^"”\']+)["”\']';
const FORMS: readonly (readonly [RegExp, (...parts: string[]) => Order])[] = [
  [
    /\b(?:go to|open|visit|navigate to) (https?:\/\/[^\s"'<>]+)/i,
    (url) => ({ action: { action: 'navigate', url: url.replace(/[.,;]$/, '') } }),
  ],
  [
    new RegExp(`\\btype ${QUOTED} into (?:the )?(?:field )?${QUOTED}`, 'i'),
    (text, selector) => ({ action: { action: 'type', target: { selector }, text } }),
  ],
  [
    new RegExp(`\\b(?:click|press)(?: on)?(?: the)?(?: button| link)? ${QUOTED}`, 'i'),
    (text) => ({ action: { action: 'click', target: { text } } }),
  ],
  [new RegExp(`\\b(?:say|answer|reply)(?: with| only)? ${QUOTED}`, 'i'), (answer) => ({ answer })],
];

/** Each order once, in the order of their appearance. */
function ordersIn(text: string): Order[] {
  const found = [...text.matchAll(ADDRESSED)].flatMap(([sentence]) =>
    FORMS.flatMap(([form, orderOf]) => {
      const match = form.exec(sentence);
      return match ? [orderOf(...match.slice(1))] : [];
    }),
  );
  return [...new Map(found.map((order) => [JSON.stringify(order), order])).values()];
}
