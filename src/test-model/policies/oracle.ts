/** Follows the transcript of the task, by what it reads in the observations. */
import type { Draft } from '../conversation.ts';
import { answerWith } from './answer.ts';
import { nextMove } from './follow-transcript.ts';
import { orchestrateInParts } from './orchestrate.ts';
import { replyWithCalls } from './plan-steps.ts';
import type { BrowserTurn, Policy } from './policy.ts';

export const oracle: Policy = {
  about: 'follows the transcript of the task, by what it reads in the observations',
  browse: browseAsOracle,
  orchestrate: orchestrateInParts,
  judges: 'careful',
};

export function browseAsOracle(turn: BrowserTurn): Draft {
  const { conversation, task, server } = turn;
  const move = nextMove(turn);
  switch (move.kind) {
    case 'call':
      return replyWithCalls([move.next], turn.turn, server, `this is move ${move.about}.`);
    case 'stuck':
      return answerWith(conversation, move.sentence);
    case 'arrived':
      return answerWith(conversation, answerOf(task));
  }
}

/** The transcript's answer; a part of a goal has none of its own. */
function answerOf(task: BrowserTurn['task']): string {
  if (task?.range.to === 0) return 'I have looked around.';
  const moves = task?.transcript?.moves.length ?? 0;
  if (task && task.range.to < moves) return `Moves ${task.range.from} to ${task.range.to} of ${moves} are done.`;
  return task?.transcript?.answer ?? 'The task is done.';
}
