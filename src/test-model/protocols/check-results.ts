/** Every call of a tool must have exactly one result, before anything else is said. The vendors refuse the rest, each in its own words. */
import type { ConversationMessage } from '../conversation.ts';

export type ResultProblem =
  | { readonly kind: 'result_without_call'; readonly id: string; readonly message: number }
  | { readonly kind: 'second_result'; readonly id: string; readonly message: number }
  | { readonly kind: 'call_without_result'; readonly ids: readonly string[]; readonly message: number };

/** @returns the first problem; `message` is the number of the message, from 0. */
export function findResultProblem(messages: readonly ConversationMessage[]): ResultProblem | undefined {
  let open = new Set<string>();
  const answered = new Set<string>();
  let callsAt = 0;
  for (const [index, { role, text, images, toolCalls, toolResults }] of messages.entries()) {
    for (const { id } of toolResults) {
      if (!open.delete(id)) {
        return { kind: answered.has(id) ? 'second_result' : 'result_without_call', id, message: index };
      }
      answered.add(id);
    }
    const goesOn = role === 'assistant' || text !== '' || images.length > 0;
    if (goesOn && open.size > 0) return { kind: 'call_without_result', ids: [...open], message: callsAt };
    if (toolCalls.length > 0) {
      open = new Set(toolCalls.map(({ id }) => id));
      callsAt = index;
    }
  }
  return open.size > 0 ? { kind: 'call_without_result', ids: [...open], message: callsAt } : undefined;
}
