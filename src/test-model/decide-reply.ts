/** What a policy replies to a conversation: as a judge, an orchestrator, an agent with a browser, or a model without tools. */
import { sha256Hex } from '../cases/index.ts';
import type { Conversation, Draft, ModelReply } from './conversation.ts';
import { countTokens } from './count-tokens.ts';
import { draw } from './draw.ts';
import { modelNameOf } from './model-name.ts';
import { markedCalls, turnsIn } from './policies/call-marks.ts';
import { POLICIES, type PolicyName } from './policies/index.ts';
import { judgeCarefully, judgedIn, judgeGullibly } from './policies/judge.ts';
import { asReply, judgeForm } from './policies/judge-forms.ts';
import { type KnownTask, recogniseTask } from './policies/known-task.ts';
import { isOrchestrator } from './policies/orchestrate.ts';
import type { Policy } from './policies/policy.ts';
import { recogniseServer } from './policies/tool-server.ts';

export interface PolicyContext {
  readonly tasks: readonly KnownTask[];
  readonly seed: number;
}

export function decideReply(conversation: Conversation, name: PolicyName, { tasks, seed }: PolicyContext): Draft {
  const policy: Policy = POLICIES[name];
  const form = judgeForm(conversation);
  if (form) {
    const judged = judgedIn(conversation);
    return asReply(form, policy.judges === 'gullible' ? judgeGullibly(judged) : judgeCarefully(judged), judged);
  }
  const task = recogniseTask(conversation, tasks);
  const turn = turnsIn(conversation);
  if (isOrchestrator(conversation)) return policy.orchestrate({ conversation, task, turn });
  const server = recogniseServer(conversation.tools);
  if (!server) return { text: 'I have no browser tools that I know, so I can only answer: this is a test model.' };
  return policy.browse({
    conversation,
    task,
    server,
    made: markedCalls(conversation),
    turn,
    draw: (...purpose) => draw(seed, name, task?.id ?? '', ...purpose),
  });
}

/** A draft with its usage and its names. */
export function finishReply(conversation: Conversation, draft: Draft, policy: PolicyName): ModelReply {
  return {
    ...draft,
    finish: draft.isRefusal ? 'content-filter' : (draft.toolCalls ?? []).length > 0 ? 'tool-calls' : 'stop',
    usage: countTokens(conversation, draft),
    model: modelNameOf(policy),
    id: digestOf(conversation).slice(0, 24),
  };
}

export function digestOf(conversation: Conversation): string {
  return sha256Hex(JSON.stringify(conversation));
}
