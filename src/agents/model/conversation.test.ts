import { describe, expect, test } from 'vitest';
import { Conversation } from './conversation.ts';

const call = (id: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'tool-call' as const, toolCallId: id, toolName: 'read_page', input: {} }],
});
const result = (id: string, text: string) => ({
  toolCallId: id,
  toolName: 'read_page',
  text,
  isError: false,
  pictures: [],
});
const shown = ({ messages }: Conversation) => JSON.stringify(messages);

function conversationOf(pages: readonly string[], usage = {}): Conversation {
  const conversation = new Conversation();
  conversation.addUser('Goal: read');
  for (const [index, page] of pages.entries()) {
    conversation.addReply([call(`c${index}`)], usage);
    conversation.addResults([result(`c${index}`, page)]);
  }
  return conversation;
}

describe('old observations', () => {
  const pages = Array.from({ length: 10 }, (_, index) => `page ${index} ${'x'.repeat(3_000)}`);

  test('stay while the conversation fits', () => {
    const conversation = conversationOf(pages);
    expect(conversation.fitInto(100_000)).toBe(0);
    for (const index of pages.keys()) expect(shown(conversation)).toContain(`page ${index} `);
  });

  test('are left out from the oldest on; the last three stay, and every call keeps its result', () => {
    const conversation = conversationOf(pages);
    expect(conversation.fitInto(8_000)).toBe(6);
    expect(shown(conversation)).not.toContain('page 5 ');
    expect(shown(conversation)).toContain('page 6 ');
    expect(conversation.fitInto(100)).toBe(1);
    expect(shown(conversation)).not.toContain('page 6 ');
    expect(shown(conversation)).toContain('page 7 ');
    expect(conversation.messages.filter(({ role }) => role === 'tool')).toHaveLength(10);
  });

  test('are left out by what the provider counted, where it counted', () => {
    expect(conversationOf(pages, { inputTokens: 50_000, outputTokens: 10 }).fitInto(45_000)).toBeGreaterThan(0);
    expect(conversationOf(pages, { inputTokens: 100, outputTokens: 10 }).fitInto(8_000)).toBe(0);
  });

  test('pictures are observations too', () => {
    const conversation = new Conversation();
    for (let index = 0; index < 5; index++)
      conversation.addPictures(`Picture ${index}:`, [{ data: new Uint8Array(10), mediaType: 'image/png' }]);
    expect(conversation.fitInto(5_000)).toBe(2);
    expect(shown(conversation)).not.toContain('Picture 1:');
    expect(shown(conversation)).toContain('Picture 2:');
  });
});

test('a picture of a result goes into a user message after the results', () => {
  const conversation = new Conversation();
  const pictures = [{ data: new Uint8Array([1]), mediaType: 'image/png' }];
  conversation.addResults([{ ...result('c1', 'taken'), pictures }, result('c2', 'read')]);
  expect(conversation.messages.map(({ role }) => role)).toEqual(['tool', 'user']);
});
