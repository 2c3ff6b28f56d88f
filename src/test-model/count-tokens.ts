/**
 * Token counts by a rule that anyone can check: four characters are a token (rounded up for each text), and a picture is 258 tokens. Cached are the
 * tokens of everything that stands before the last message of the assistant, because the request before this one has already sent it.
 */
import type { Conversation, ConversationMessage, Draft, TokenUsage } from './conversation.ts';

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_PICTURE = 258;

const ofText = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
const ofJson = (value: unknown): number => ofText(JSON.stringify(value));
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

export function countTokens(conversation: Conversation, draft: Draft): TokenUsage {
  const { messages } = conversation;
  const fixed = ofText(conversation.system) + sum(conversation.tools.map(ofJson));
  const counts = messages.map(ofMessage);
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  const reasoning = ofText(draft.reasoning ?? '');
  const calls = draft.toolCalls ?? [];
  return {
    input: fixed + sum(counts),
    cached: lastReply === -1 ? 0 : fixed + sum(counts.slice(0, lastReply)),
    output: reasoning + ofText(draft.text ?? '') + sum(calls.map(ofCall)),
    reasoning,
  };
}

function ofMessage({ text, images, toolCalls, toolResults }: ConversationMessage): number {
  const pictures = images.length + sum(toolResults.map((result) => result.images.length));
  return (
    ofText(text) +
    pictures * TOKENS_PER_PICTURE +
    sum(toolCalls.map(ofCall)) +
    sum(toolResults.map((result) => ofText(result.text)))
  );
}

function ofCall(call: NonNullable<Draft['toolCalls']>[number]): number {
  return ofText(call.name) + (call.rawArguments === undefined ? ofJson(call.arguments) : ofText(call.rawArguments));
}
