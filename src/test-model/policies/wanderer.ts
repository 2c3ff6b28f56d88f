/** Makes detours before and between the moves of the oracle: reads, scrolls, follows wrong links and goes back. It arrives late, or gives up. */
import { newRenderContext } from '../../tools/index.ts';
import type { Draft } from '../conversation.ts';
import { answerWith } from './answer.ts';
import { nextMove } from './follow-transcript.ts';
import { browseAsOracle } from './oracle.ts';
import { orchestrateAfterLooking } from './orchestrate.ts';
import { type PlannedCall, planState, replyWithCalls } from './plan-steps.ts';
import type { BrowserTurn, CanonicalAction, Policy } from './policy.ts';

/** The share of tasks that it gives up in the middle. */
const LOST = 0.2;
const DETOUR = 0.4;
const MOST_IN_A_ROW = 2;
const GIVES_UP_AFTER = 8;

export const wanderer: Policy = {
  about: 'makes detours before and between the moves of the oracle; arrives late, or gives up (by the seed)',
  browse: wander,
  orchestrate: orchestrateAfterLooking,
  judges: 'careful',
};

function wander(turn: BrowserTurn): Draft {
  const { conversation, server, made } = turn;
  const last = made.at(-1);
  if (last && last.label.kind !== 'move') {
    const open = openCall(turn, last.label);
    if (open) return replyWithCalls([open], turn.turn, server, 'this goes on.');
    // A wrong link is noticed on the page behind it. A link that was not there has led nowhere.
    if (last.label.kind === 'away' && last.result?.isError === false) return detour(turn, 'return');
  }
  const move = nextMove(turn);
  // A move may take several calls; nothing comes between them.
  if (move.kind === 'call' && move.next.call > 1) return browseAsOracle(turn);
  const detours = made.filter(({ label, call }) => call === 1 && label.kind !== 'move').length;
  if (isLost(turn)) {
    if (detours >= GIVES_UP_AFTER)
      return answerWith(conversation, 'I looked everywhere and could not find how to go on.');
    return detour(turn, kindOf(turn));
  }
  const inARow = made.length - 1 - made.findLastIndex(({ label }) => label.kind === 'move');
  const isFirst = made.length === 0;
  if (isFirst) return detour(turn, 'detour');
  if (move.kind === 'call' && inARow < MOST_IN_A_ROW && turn.draw('detour', turn.turn) < DETOUR)
    return detour(turn, kindOf(turn));
  return browseAsOracle(turn);
}

/** Lost from the middle of the transcript on. */
function isLost({ task, made, draw }: BrowserTurn): boolean {
  if (!task?.transcript) return true;
  if (task.range.to === 0) return false;
  const middle = task.range.from + Math.floor((task.range.to - task.range.from) / 2);
  const moves = made.filter(({ label }) => label.kind === 'move').map(({ label }) => label.number);
  return draw('lost') < LOST && Math.max(0, ...moves) >= middle;
}

type DetourKind = 'detour' | 'away' | 'return';

function kindOf({ draw, turn }: BrowserTurn): DetourKind {
  return draw('away', turn) < 0.25 ? 'away' : 'detour';
}

function detour(turn: BrowserTurn, kind: DetourKind): Draft {
  const label = { kind, number: turn.turn };
  const first = openCall(turn, label);
  const calls = first ? [first] : [];
  // Now and then it asks for two things at once.
  if (kind === 'detour' && turn.draw('twice', turn.turn) < 0.3) {
    const second = firstCall(turn, { action: 'tab', operation: 'list' });
    if (second) calls.push({ ...second, label: { kind: 'look', number: turn.turn } });
  }
  return replyWithCalls(calls, turn.turn, turn.server, 'perhaps this helps.');
}

function openCall(turn: BrowserTurn, label: PlannedCall['label']): PlannedCall | undefined {
  const action = actionOf(turn, label);
  if (!action) return undefined;
  const state = planState(action, label, turn.made, turn.server, newRenderContext(turn.server));
  return 'next' in state ? state.next : undefined;
}

/** What a detour of this turn does. */
function actionOf({ draw }: BrowserTurn, { kind, number }: PlannedCall['label']): CanonicalAction | undefined {
  if (kind === 'return') return { action: 'navigate', url: 'back' };
  if (kind === 'away')
    return { action: 'click', target: { role: 'link', nth: 1 + Math.floor(draw('link', number) * 3) } };
  if (kind !== 'detour') return undefined;
  const drawn = draw('kind', number);
  if (drawn < 0.5) return { action: 'read' };
  return { action: 'scroll', direction: drawn < 0.75 ? 'down' : 'up', amount: 400 };
}

function firstCall({ server }: BrowserTurn, action: CanonicalAction): PlannedCall | undefined {
  const state = planState(action, { kind: 'look', number: 0 }, [], server, newRenderContext(server));
  return 'next' in state ? state.next : undefined;
}
