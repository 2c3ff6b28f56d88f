import { expect, test } from 'vitest';
import { readReply } from './read-reply.ts';

type Reply = Parameters<typeof readReply>[0];
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read_page', input: {}, dynamic: true };
const invalid = {
  ...call,
  toolCallId: 'c2',
  toolName: 'jump',
  invalid: true,
  error: new Error('There is no such tool.'),
};
const reply = (given: Partial<Record<keyof Reply, unknown>>): Reply =>
  ({ text: '', finishReason: 'stop', toolCalls: [], ...given }) as unknown as Reply;

test('calls that can be made', () => {
  expect(readReply(reply({ toolCalls: [call] }))).toEqual({ calls: [call] });
});

test('an answer without a call', () => {
  expect(readReply(reply({ text: 'Done.' }))).toEqual({ calls: [] });
});

test.each<[string, Partial<Record<keyof Reply, unknown>>, string]>([
  ['an empty reply', { text: ' ' }, 'Your reply was empty. Call a tool, or give the final answer.'],
  [
    'a cut reply',
    { text: 'I wi', finishReason: 'length' },
    'Your reply was cut off at its length limit. Reply more shortly.',
  ],
  [
    'a refused reply',
    { finishReason: 'content-filter' },
    'Your reply was withheld by the filter of the provider. Go on another way.',
  ],
])('%s is of no use, and the model is told why', (_, given, problem) => {
  expect(readReply(reply(given))).toEqual({ calls: [], problem, error: { content: problem, errorCode: 'bad_reply' } });
});

test('an invalid call is of no use by itself, and is reported beside one that can be made', () => {
  const content = 'The call of jump is invalid: There is no such tool.';
  const error = { content, errorCode: 'invalid_call' };
  expect(readReply(reply({ toolCalls: [invalid] }))).toEqual({ calls: [], problem: content, error });
  expect(readReply(reply({ toolCalls: [call, invalid] }))).toEqual({ calls: [call], error });
});
