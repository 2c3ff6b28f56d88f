import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { documentedEvents, documentedQuestion } from '../../test/journal/documented-events.ts';
import {
  answered,
  called,
  delegated,
  isoAt,
  madeJournal,
  pictured,
  reportedBack,
  said,
  seen,
  stopped,
} from '../../test/support/made-journal.ts';
import { MessageFold, messagesOf } from './messages.ts';
import {
  isAssistantMessage,
  isDelegation,
  isDelegationResult,
  isErrorMessage,
  isToolCall,
  isToolResult,
  isUserMessage,
  traceMessageJsonSchema,
  traceMessageSchema,
} from './trace-message.ts';

const types = (events: Parameters<typeof messagesOf>[0]) => messagesOf(events).map(({ type }) => type);

/** Two executors whose calls cross, with pictures that come late and in another order. */
const crossing = madeJournal([
  said({ type: 'user', content: 'Compare two shops.' }),
  delegated('left'),
  delegated('right'),
  called('c1', 1, 'left'),
  called('c2', 2, 'right'),
  answered('c2', 'right'),
  answered('c1', 'left', { isError: true, errorKind: 'element_not_found' }),
  pictured('c1', 2, 'left'),
  pictured('c2', 1, 'right'),
  called('c3', 3, 'right'),
  answered('c3', 'right'),
  reportedBack('left', 'blocked'),
  said({ type: 'assistant', content: 'I read it.', executorId: 'right' }),
  pictured('c3', 1, 'right'),
  reportedBack('right'),
  stopped({ answer: 'The left one.' }),
]);

describe('messages of an attempt', () => {
  it('are the seven types with exactly their fields, in the journal’s order', () => {
    expect(messagesOf(crossing)).toEqual([
      { type: 'user', content: 'Compare two shops.', timestamp: isoAt(1) },
      { type: 'delegation', executorId: 'left', instruction: 'Work, left.', maxSteps: 5, timestamp: isoAt(2) },
      { type: 'delegation', executorId: 'right', instruction: 'Work, right.', maxSteps: 5, timestamp: isoAt(3) },
      {
        type: 'tool_call',
        tool: 'click',
        toolCallId: 'c1',
        params: { of: 'c1' },
        executorId: 'left',
        timestamp: isoAt(4),
      },
      {
        type: 'tool_call',
        tool: 'click',
        toolCallId: 'c2',
        params: { of: 'c2' },
        executorId: 'right',
        timestamp: isoAt(5),
      },
      {
        type: 'tool_result',
        toolCallId: 'c2',
        result: 'result of c2',
        isError: false,
        screenshot: 1,
        executorId: 'right',
        timestamp: isoAt(6),
      },
      {
        type: 'tool_result',
        toolCallId: 'c1',
        result: 'result of c1',
        isError: true,
        screenshot: 2,
        executorId: 'left',
        timestamp: isoAt(7),
      },
      {
        type: 'tool_call',
        tool: 'click',
        toolCallId: 'c3',
        params: { of: 'c3' },
        executorId: 'right',
        timestamp: isoAt(10),
      },
      {
        type: 'tool_result',
        toolCallId: 'c3',
        result: 'result of c3',
        isError: false,
        screenshot: 1,
        executorId: 'right',
        timestamp: isoAt(11),
      },
      {
        type: 'delegation_result',
        executorId: 'left',
        summary: 'left says blocked.',
        status: 'blocked',
        stepsUsed: 1,
        timestamp: isoAt(12),
      },
      { type: 'assistant', content: 'I read it.', executorId: 'right', timestamp: isoAt(13) },
      {
        type: 'delegation_result',
        executorId: 'right',
        summary: 'right says done.',
        status: 'done',
        stepsUsed: 1,
        timestamp: isoAt(15),
      },
      { type: 'assistant', content: 'The left one.', timestamp: isoAt(16) },
    ]);
    for (const message of messagesOf(crossing)) expect(traceMessageSchema.safeParse(message).error).toBeUndefined();
  });

  it('pair each result and each picture with the call that it names, whichever call is the newest (trap 1)', () => {
    const results = messagesOf(crossing).filter(isToolResult);
    expect(
      results.map(({ toolCallId, result, screenshot, executorId }) => [toolCallId, result, screenshot, executorId]),
    ).toEqual([
      ['c2', 'result of c2', 1, 'right'],
      ['c1', 'result of c1', 2, 'left'],
      ['c3', 'result of c3', 1, 'right'],
    ]);
  });

  it.each([
    ['first', 'c1', 'c2'],
    ['last', 'c2', 'c1'],
  ] as const)('tie pictures by the call, also where that of the %s call comes first (trap 1)', (_, early, late) => {
    const number = { c1: 7, c2: 8 };
    const lane = { c1: 'left', c2: 'right' };
    const events = madeJournal([
      called('c1', 1, 'left'),
      called('c2', 2, 'right'),
      answered('c1', 'left'),
      answered('c2', 'right'),
      pictured(early, number[early], lane[early]),
      pictured(late, number[late], lane[late]),
      stopped(),
    ]);
    const results = messagesOf(events).filter(isToolResult);
    expect(results.map(({ toolCallId, screenshot }) => [toolCallId, screenshot])).toEqual([
      ['c1', 7],
      ['c2', 8],
    ]);
  });

  it('keep every delegation beside the executors’ calls: there is one list and one writer (trap 2)', () => {
    const all = messagesOf(crossing);
    expect(all.filter(isDelegation).map(({ executorId }) => executorId)).toEqual(['left', 'right']);
    expect(all.filter(isDelegationResult).map(({ executorId }) => executorId)).toEqual(['left', 'right']);
    expect(all.filter(isToolCall)).toHaveLength(3);
  });

  it('are the same one by one, and are held only while a picture is awaited', () => {
    const fold = new MessageFold();
    const written = crossing.map((event) => fold.add(event));
    expect([...written.flat(), ...fold.end()]).toEqual(messagesOf(crossing));
    // c2's result waits for its own picture, and what came after it waits with it.
    expect(written.map((messages) => messages.length)).toEqual([0, 1, 1, 1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 0, 3, 1, 1]);
  });

  it('leave out the calls and results of the harness; a look is the agent’s and has no picture', () => {
    const events = madeJournal([
      called('c0', 0, undefined, { by: 'harness', tool: 'navigate' }),
      answered('c0'),
      pictured(undefined, 1),
      called('c1', 0, undefined, { look: true, tool: 'read_page' }),
      answered('c1'),
      pictured(undefined, 2),
      stopped(),
    ]);
    expect(messagesOf(events)).toEqual([
      { type: 'user', content: 'Send the form.', timestamp: isoAt(0) },
      { type: 'tool_call', tool: 'read_page', toolCallId: 'c1', params: { of: 'c1' }, timestamp: isoAt(4) },
      { type: 'tool_result', toolCallId: 'c1', result: 'result of c1', isError: false, timestamp: isoAt(5) },
    ]);
  });

  it('begin with the goal where the agent does not say what it was asked, and name no lane main', () => {
    const events = madeJournal([
      said({ type: 'assistant', content: 'I begin.', executorId: 'main' }),
      stopped({ answer: 'I begin.' }),
    ]);
    expect(messagesOf(events)).toEqual([
      { type: 'user', content: 'Send the form.', timestamp: isoAt(0) },
      { type: 'assistant', content: 'I begin.', timestamp: isoAt(1) },
    ]);
  });

  it('name an executor that works on the lane main, from the delegation to its result', () => {
    const events = madeJournal([
      delegated('main'),
      called('c1', 1),
      answered('c1'),
      said({ type: 'assistant', content: 'It costs 12.', executorId: 'main' }),
      reportedBack('main'),
      stopped({ answer: 'It costs 12.' }),
    ]);
    expect(
      messagesOf(events).map((message) => [message.type, 'executorId' in message ? message.executorId : '']),
    ).toEqual([
      ['user', ''],
      ['delegation', 'main'],
      ['tool_call', 'main'],
      ['tool_result', 'main'],
      ['assistant', 'main'],
      ['delegation_result', 'main'],
      // The same words, but the orchestrator's.
      ['assistant', ''],
    ]);
  });

  it('give a delegation without a result one that says aborted, with what the harness counted (trap 7)', () => {
    const open = [
      delegated('left'),
      called('c1', 1, 'left'),
      answered('c1', 'left'),
      seen('https://shop.test/cart', 'left', 'c1'),
      called('c2', 2, 'left'),
    ];
    const aborted = {
      type: 'delegation_result',
      executorId: 'left',
      summary: 'The attempt ended before the executor had answered.',
      status: 'aborted',
      stepsUsed: 2,
      currentUrl: 'https://shop.test/cart',
    };
    const stop = stopped({ status: 'timeout', reason: 'The time of the task was used up.' });
    expect(messagesOf(madeJournal([...open, stop])).at(-1)).toEqual({ ...aborted, timestamp: isoAt(6) });
    // After a kill there is no stop either.
    expect(messagesOf(madeJournal(open)).slice(-2)).toEqual([
      { ...aborted, timestamp: isoAt(5) },
      {
        type: 'error',
        content: 'The journal ends without a stop: the harness was cut off.',
        errorCode: 'cut_off',
        timestamp: isoAt(5),
      },
    ]);
    // The agent's own result is not written twice.
    const own = messagesOf(madeJournal([...open, reportedBack('left', 'aborted'), stop])).filter(isDelegationResult);
    expect(own).toHaveLength(1);
  });

  it('say of a call that the end cut off that no answer came', () => {
    const events = madeJournal([
      called('c1', 1),
      answered('c1', undefined, { aborted: true, text: '', textLength: 0 }),
      stopped({ status: 'tool_error', cause: 'server', reason: 'The server ended.' }),
    ]);
    expect(messagesOf(events).slice(2)).toEqual([
      {
        type: 'tool_result',
        toolCallId: 'c1',
        result: 'No answer: the attempt ended before the server had answered.',
        isError: true,
        timestamp: isoAt(2),
      },
      { type: 'error', content: 'The server ended.', errorCode: 'server', timestamp: isoAt(3) },
    ]);
  });

  it('release a result whose picture never came with the next call of its lane', () => {
    const fold = new MessageFold();
    const counts = madeJournal([called('c1', 1), answered('c1'), called('c2', 2), answered('c2'), stopped()]).map(
      (event) => fold.add(event).length,
    );
    expect(counts).toEqual([0, 2, 0, 2, 0, 1]);
  });

  it('are made of the documented journals: a task’s and a question’s', () => {
    expect(types(documentedEvents)[0]).toBe('user');
    expect(messagesOf(documentedQuestion)).toEqual([
      { type: 'user', content: 'What is 1 + 1?', timestamp: isoAt(0) },
      { type: 'assistant', content: 'It is', timestamp: '2026-01-01T00:00:01.200Z' },
      {
        type: 'error',
        content: 'The answer did not end in time.',
        errorCode: 'response_timeout',
        timestamp: '2026-01-01T00:00:01.200Z',
      },
    ]);
    for (const message of messagesOf(documentedEvents))
      expect(traceMessageSchema.safeParse(message).error).toBeUndefined();
  });
});

describe('the schema of messages', () => {
  const guards = [
    isUserMessage,
    isAssistantMessage,
    isToolCall,
    isToolResult,
    isErrorMessage,
    isDelegation,
    isDelegationResult,
  ];

  it('has a guard for each type, and each message has one guard that holds', () => {
    expect(traceMessageSchema.options).toHaveLength(guards.length);
    for (const message of messagesOf(crossing)) expect(guards.filter((guard) => guard(message))).toHaveLength(1);
  });

  it('schemas/message.schema.json is current (if not: node scripts/make-message-schema.ts)', () => {
    const file = new URL('../../schemas/message.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(traceMessageJsonSchema())));
  });

  it('agrees with the JSON Schema', () => {
    const schema = z.fromJSONSchema(traceMessageJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
    const good = { type: 'tool_call', tool: 'click', toolCallId: 'c1', params: {}, timestamp: isoAt(0) };
    const { params: _params, ...bare } = good;
    const cases: [unknown, boolean][] = [
      [good, true],
      [bare, false],
      [{ ...good, timestamp: 'yesterday' }, false],
      [{ ...good, colour: 'red' }, false],
      [{ ...good, type: 'tool' }, false],
    ];
    for (const [message, ok] of cases) {
      expect(traceMessageSchema.safeParse(message).success, JSON.stringify(message)).toBe(ok);
      expect(schema.safeParse(message).success, JSON.stringify(message)).toBe(ok);
    }
  });
});
