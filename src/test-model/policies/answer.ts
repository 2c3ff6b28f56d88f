/** How a policy ends: by the tool `task_done` where there is one, otherwise by a reply without a call. */
import type { Conversation, Draft } from '../conversation.ts';
import { turnsIn } from './call-marks.ts';
import { findTool } from './tool-server.ts';

export function answerWith(conversation: Conversation, answer: string): Draft {
  const done = findTool(conversation.tools, 'task_done');
  const isSaid = conversation.messages.some(({ toolCalls }) => toolCalls.some(({ name }) => name === done?.name));
  if (!done || isSaid) return { text: answer };
  return { toolCalls: [{ id: `call_done_${turnsIn(conversation)}`, name: done.name, arguments: { answer } }] };
}
