/** What can be used of a model's reply, and what it is told about the rest. */
import type { Generation } from '../../models/index.ts';

/** Replies in a row that were of no use, before the agent has failed. */
export const MAX_BAD_REPLIES = 3;

export interface CallOfModel {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ReadReply {
  readonly calls: readonly CallOfModel[];
  /** Why nothing of the reply can be used, as the model is told. */
  readonly problem?: string | undefined;
  /** For the trace: also where other calls of the reply can be made. */
  readonly error?: { readonly content: string; readonly errorCode: string } | undefined;
}

type Reply = Pick<Generation, 'toolCalls' | 'text' | 'finishReason'>;

/** Calls that the SDK found invalid (broken JSON, an unknown tool, wrong arguments) are not made; it has answered them already. */
export function readReply({ toolCalls, text, finishReason }: Reply): ReadReply {
  const calls = toolCalls.filter((call) => call.invalid !== true);
  const invalid = toolCalls.find((call) => call.invalid === true);
  if (invalid) {
    const content = `The call of ${invalid.toolName} is invalid: ${reasonOf(invalid)}`;
    return {
      calls,
      error: { content, errorCode: 'invalid_call' },
      ...(calls.length === 0 ? { problem: content } : {}),
    };
  }
  const problem = calls.length > 0 ? undefined : uselessBecause(text, finishReason);
  return problem === undefined ? { calls } : { calls, problem, error: { content: problem, errorCode: 'bad_reply' } };
}

/** Answering without a call means done, if there is an answer. */
function uselessBecause(text: string, finish: Generation['finishReason']): string | undefined {
  if (finish === 'content-filter') return 'Your reply was withheld by the filter of the provider. Go on another way.';
  if (finish === 'length') return 'Your reply was cut off at its length limit. Reply more shortly.';
  return text.trim() === '' ? 'Your reply was empty. Call a tool, or give the final answer.' : undefined;
}

function reasonOf({ error }: { readonly error?: unknown }): string {
  return error instanceof Error ? error.message : String(error ?? 'it could not be read');
}
