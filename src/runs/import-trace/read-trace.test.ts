import { describe, expect, it } from 'vitest';
import { readTrace } from './read-trace.ts';

const atif = {
  schema_version: 'ATIF-v1.6',
  session_id: 's1',
  agent: { name: 'shopper', version: '2.0', model_name: 'gpt-5' },
  steps: [
    { step_id: 1, source: 'system', message: 'You are a shopper.' },
    { step_id: 2, timestamp: '2026-01-01T00:00:00Z', source: 'user', message: 'Buy a lamp.' },
    {
      step_id: 3,
      timestamp: '2026-01-01T00:00:02Z',
      source: 'agent',
      message: '',
      reasoning_content: 'I look first.',
      tool_calls: [
        { tool_call_id: 'a', function_name: 'read_page', arguments: {} },
        { tool_call_id: 'b', function_name: 'click', arguments: { text: 'Buy' } },
      ],
      observation: {
        results: [
          // In another order than the calls: the id tells.
          { source_call_id: 'b', content: 'There is no such button.', is_error: true },
          {
            source_call_id: 'a',
            content: [
              { type: 'text', text: 'Lamps' },
              { type: 'image', source: {} },
            ],
          },
          { content: 'The environment was reset.' },
        ],
      },
      metrics: { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40, cost_usd: 0.01 },
    },
    { step_id: 4, source: 'agent', message: 'There is none.', model_name: 'gpt-5-mini', metrics: {} },
  ],
  final_metrics: { total_steps: 4 },
};

const lines = (...parts: object[]): string => parts.map((part) => `${JSON.stringify(part)}\n`).join('');
const stream = [
  { type: 'start' },
  { type: 'start-step', request: {}, warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', text: 'Hm.' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', text: 'I look ' },
  { type: 'text-delta', id: 't', text: 'first.' },
  { type: 'text-end', id: 't' },
  { type: 'tool-call', toolCallId: 'a', toolName: 'read_page', input: {} },
  { type: 'tool-call', toolCallId: 'b', toolName: 'click', input: { text: 'Buy' } },
  { type: 'tool-error', toolCallId: 'b', toolName: 'click', error: { message: 'There is no such button.' } },
  {
    type: 'tool-result',
    toolCallId: 'a',
    toolName: 'read_page',
    input: {},
    output: { content: [{ type: 'text', text: 'Lamps' }] },
  },
  {
    type: 'finish-step',
    response: { modelId: 'gpt-5', timestamp: '2026-01-01T00:00:03Z' },
    usage: { inputTokens: 100, inputTokenDetails: { cacheReadTokens: 40 }, outputTokens: 20, outputTokenDetails: {} },
  },
  { type: 'source', sourceType: 'url' },
  { type: 'finish', finishReason: 'stop' },
];

describe('ATIF', () => {
  const trace = readTrace('t.json', JSON.stringify(atif));

  it('gives messages, calls with their results by id, and tokens; costs of its own are not taken', () => {
    const at = Date.parse('2026-01-01T00:00:02Z');
    expect(trace).toMatchObject({ format: 'ATIF-v1.6', agent: { name: 'shopper', version: '2.0' } });
    expect(trace.parts).toEqual([
      { type: 'message', message: { type: 'user', content: 'Buy a lamp.' }, at: at - 2000 },
      { type: 'usage', role: 'agent', model: 'gpt-5', inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, at },
      { type: 'call', id: 'a', tool: 'read_page', arguments: {}, at },
      { type: 'call', id: 'b', tool: 'click', arguments: { text: 'Buy' }, at },
      { type: 'result', id: 'b', text: 'There is no such button.', isError: true, at },
      { type: 'result', id: 'a', text: 'Lamps', isError: false, at },
      { type: 'message', message: { type: 'assistant', content: 'There is none.' } },
      { type: 'usage', role: 'agent', model: 'gpt-5-mini' },
    ]);
  });

  it('counts what has no place', () => {
    expect(Object.fromEntries(trace.unmapped)).toEqual({
      'a system step': 1,
      reasoning: 1,
      'a part of the type image': 1,
      'an observation that belongs to no call': 1,
      'a cost that the trace reports of itself': 1,
    });
  });
});

describe('AI SDK', () => {
  const parts = [
    { type: 'message', message: { type: 'assistant', content: 'I look first.' } },
    { type: 'call', id: 'a', tool: 'read_page', arguments: {} },
    { type: 'call', id: 'b', tool: 'click', arguments: { text: 'Buy' } },
    { type: 'result', id: 'b', text: 'There is no such button.', isError: true },
    { type: 'result', id: 'a', text: 'Lamps', isError: false },
  ];

  it('gives texts, calls and results from the parts of a full stream, as lines, torn lines, or an array', () => {
    for (const text of [lines(...stream), `${lines(...stream)}{"type":"text-de`, JSON.stringify(stream)]) {
      const trace = readTrace('t.jsonl', text);
      expect(trace.format).toBe('AI SDK stream');
      expect(trace.parts.slice(0, 5)).toEqual(parts);
      expect(trace.parts.slice(5)).toEqual([
        {
          type: 'usage',
          role: 'agent',
          model: 'gpt-5',
          inputTokens: 100,
          cachedInputTokens: 40,
          outputTokens: 20,
          at: Date.parse('2026-01-01T00:00:03Z'),
        },
      ]);
      expect(Object.fromEntries(trace.unmapped)).toEqual({ reasoning: 1, 'an event of the type source': 1 });
    }
  });

  it('reads the chunks of a UI message stream as server-sent events', () => {
    const chunks = [
      { type: 'text-delta', id: '1', delta: 'I look first.' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'read_page', input: {} },
      { type: 'tool-input-available', toolCallId: 'b', toolName: 'click', input: { text: 'Buy' } },
      { type: 'tool-output-error', toolCallId: 'b', errorText: 'There is no such button.' },
      { type: 'tool-output-available', toolCallId: 'a', output: 'Lamps' },
    ];
    const text = `: comment\n\n${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
    expect(readTrace('t.txt', text).parts).toEqual(parts);
  });

  it('knows an error that ended the stream', () => {
    const trace = readTrace(
      't.jsonl',
      lines(...stream.slice(0, 8), { type: 'error', error: { message: 'rate limit' } }),
    );
    expect(trace.failure).toBe('rate limit');
    expect(trace.parts.at(-1)).toEqual({
      type: 'message',
      message: { type: 'error', content: 'rate limit', errorCode: 'error' },
    });
  });
});

describe('what is no trace gets a sentence', () => {
  it.each([
    ['', 'it has no text, no call and no result of an agent'],
    ['Hello', 'line 1 is not JSON'],
    ['{"type":"text-delta","text":"a"}\n{"type":\n{"type":"finish"}\n', 'line 2 is not JSON'],
    ['[1]', 'entry 1 has no type: it is no event of the AI SDK'],
    ['{"type":"start"}\n', 'it has no text, no call and no result of an agent'],
    ['{"schema_version":"ATIF-v2.0","agent":{"name":"a"},"steps":[{"source":"user"}]}', 'it is no ATIF trajectory: '],
    [
      '{"schema_version":"ATIF-v1.4","agent":{"name":"a"},"steps":[{"source":"robot","message":""}]}',
      'it is no ATIF trajectory: ',
    ],
    ['{"schema_version":"ATIF-v1.4","agent":{"name":"a"},"steps":[]}', 'it is no ATIF trajectory: '],
  ])('%s', (text, why) => {
    expect(() => readTrace('the-file', text)).toThrow(
      expect.objectContaining({
        code: 'usage_bad_trace',
        message: expect.stringContaining(`the-file can't be imported: ${why}`),
      }),
    );
  });
});
