/** What a session gives to an agent, and what it keeps from it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTEMPT_LIMITS, type Session } from '../../src/episode/index.ts';
import { rescoreEvents } from '../../src/events/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { agent, click, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const advance = click('#advance');

test('a look is in the journal as the agent’s, and is no step; a call that acts is refused as a look', async () => {
  const texts: string[] = [];
  const looker = agent(async (session) => {
    texts.push((await session.look(read)).text);
    texts.push((await session.look(advance)).text);
    await session.step(advance);
  });
  const { result, of, events } = await play(lab, task(lab, START), looker);
  expect(texts[0]).toContain('Advance');
  expect(texts[1]).toBe(
    'Refused by the harness: "interact" with these arguments does more than observe, so that it is a step and not a look. Nothing was done.',
  );
  expect(of('tool_call').map(({ by, look, step }) => ({ by, look, step }))).toEqual([
    { by: 'harness', look: undefined, step: 0 },
    { by: 'agent', look: true, step: 0 },
    { by: 'agent', look: true, step: 0 },
    { by: 'agent', look: undefined, step: 1 },
  ]);
  expect(of('tool_result').map(({ errorKind }) => errorKind)).toEqual([
    undefined,
    undefined,
    'look_refused',
    undefined,
  ]);
  // The refused look did nothing: the page is where one step leads to.
  expect(of('evidence').at(-1)?.url).toContain('#progress-1');
  expect(result).toMatchObject({ steps: 1, toolCalls: 4, firstTool: 'interact' });
  expect(of('reward')).toHaveLength(1);
  expect(rescoreEvents(events).differences).toEqual([]);
});

test('the further calls of a move belong to the step of its first call: they take none of the budget and are not scored by themselves', async () => {
  const further = [advance];
  const mover = agent(async (session) => {
    await session.step(advance, { followUp: () => further.shift() });
    expect(session.budget.steps).toMatchObject({ used: 1 });
    await session.step(read);
  });
  const { result, of, events } = await play(lab, task(lab, START, { maxSteps: 2 }), mover);
  expect(of('tool_call').map(({ by, continues, step }) => ({ by, continues, step }))).toEqual([
    { by: 'harness', continues: undefined, step: 0 },
    { by: 'agent', continues: undefined, step: 1 },
    { by: 'agent', continues: true, step: 1 },
    { by: 'agent', continues: undefined, step: 2 },
  ]);
  expect(result).toMatchObject({ steps: 2, toolCalls: 4, lastToolCall: read });
  expect(of('evidence').at(-1)?.url).toContain('#progress-2');
  expect(of('reward').map(({ callId }) => callId)).toEqual(
    of('tool_call').flatMap(({ step, continues, callId }) => (step > 0 && !continues ? [callId] : [])),
  );
  expect(rescoreEvents(events).differences).toEqual([]);
});

test('looks are counted and bounded', async () => {
  let last = '';
  const looker = agent(async (session) => {
    const looks = Array.from({ length: ATTEMPT_LIMITS.looks + 1 }, () => session.look({ tool: 'tabs_context' }));
    last = (await Promise.all(looks)).at(-1)?.text ?? '';
    expect(session.budget.looks).toEqual({ used: ATTEMPT_LIMITS.looks + 1, limit: ATTEMPT_LIMITS.looks });
  });
  const { stop } = await play(lab, task(lab, START), looker);
  expect(last).toBe(`All ${ATTEMPT_LIMITS.looks} looks of the attempt are used. Nothing was done.`);
  expect(stop).toMatchObject({ status: 'failed' });
});

test('messages and usage stand in the journal, usage is charged, and what is unknown makes the sum incomplete', async () => {
  const budgets: unknown[] = [];
  const talker = agent(async (session) => {
    session.say({ type: 'user', content: 'Do it.' });
    session.say({
      type: 'usage',
      model: 'test:m',
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0.5,
      priceTable: 'p',
    });
    budgets.push(session.budget.tokens, session.budget.cost);
    session.say({ type: 'usage', model: 'test:m', inputTokens: 1, outputTokens: 1 });
    budgets.push(session.budget.tokens, session.budget.cost);
    session.say({ type: 'assistant', content: 'x'.repeat(300_000) });
  });
  const { of } = await play(lab, task(lab, START), talker, { maxTokens: 1_000 });
  expect(budgets).toEqual([
    { used: 120, limit: 1_000, isComplete: true },
    { used: 0.5, limit: undefined, isComplete: true },
    { used: 122, limit: 1_000, isComplete: true },
    { used: 0.5, limit: undefined, isComplete: false },
  ]);
  expect(of('usage').map(({ inputTokens }) => inputTokens)).toEqual([100, 1]);
  const [first, said] = of('message').map(({ message }) => message);
  expect(first).toEqual({ type: 'user', content: 'Do it.' });
  expect(said?.type === 'assistant' && said.content.length).toBe(262_144);
});

test('a cap on tokens or cost ends the attempt as max_steps, and the next step is refused', async () => {
  let refused: unknown;
  const spender = agent(async (session) => {
    await session.step(advance);
    session.say({ type: 'usage', model: 'test:m', inputTokens: 900, outputTokens: 200 });
    refused = await session.step(advance).catch((error: unknown) => error);
  });
  const { stop, result } = await play(lab, task(lab, START), spender, { maxTokens: 1_000 });
  expect(stop).toEqual({ status: 'max_steps', reason: 'All 1000 tokens were used, and the contract does not pass.' });
  expect(refused).toMatchObject({ code: 'attempt_ended' });
  expect(result.steps).toBe(1);
});

test('what is no message ends the attempt as adapter_error', async () => {
  const babbler = agent(async (session) => session.say({ type: 'poem', content: 'x' } as never));
  const { stop } = await play(lab, task(lab, START), babbler);
  expect(stop).toMatchObject({
    status: 'adapter_error',
    reason: 'The agent said what is neither a message nor a usage, a turn or a warning: {"type":"poem","content":"x"}',
  });
});

test('steps at once never exceed the cap: each is numbered when it is asked for, and made in its turn', async () => {
  const outcomes: string[] = [];
  const eager = agent(async (session) => {
    const steps = Array.from({ length: 8 }, () => session.step(read));
    expect(session.budget.steps).toEqual({ used: 3, limit: 3 });
    for (const { status } of await Promise.allSettled(steps)) outcomes.push(status);
  });
  const { stop, of } = await play(lab, task(lab, START, { maxSteps: 3 }), eager);
  expect(outcomes).toEqual([...Array(3).fill('fulfilled'), ...Array(5).fill('rejected')]);
  expect(stop).toMatchObject({ status: 'max_steps', reason: 'All 3 steps were used, and the contract does not pass.' });
  expect(of('tool_call').map(({ step }) => step)).toEqual([0, 1, 2, 3]);
});

test('a step that is not waited for when the agent returns is given up, and harms nothing', async () => {
  const hasty = agent(async (session) => {
    await session.step(read);
    void session.step({ tool: 'wait_for', arguments: { text: 'never to be seen', timeoutMs: 20_000 } });
    void session.step(read);
  });
  const { stop, of, events } = await play(lab, task(lab, START), hasty);
  expect(stop).toMatchObject({ status: 'failed', reason: 'The agent is done, and the contract does not pass.' });
  expect(of('tool_result').filter(({ aborted }) => aborted).length).toBeLessThanOrEqual(1);
  expect(events.at(-1)?.type).toBe('stop');
});

test('the harness’s own looking is not charged to the agent', async () => {
  let stepping: Session | undefined;
  const looks: (readonly [number, number])[] = [];
  const looker = agent(async (session) => {
    stepping = session;
    await session.step(advance);
    stepping = undefined;
  });
  await play(lab, task(lab, START), looker, {
    before: ({ witness }) => {
      const observe = witness.observe.bind(witness);
      witness.observe = async (request) => {
        // The embedded tools look too; what they do is a part of the call. Only the harness's own look reads the contract's leaves.
        const session = request?.domText ? stepping : undefined;
        const before = session?.budget.time.used ?? 0;
        const seen = await observe(request);
        if (session) looks.push([before, session.budget.time.used]);
        return seen;
      };
    },
  });
  // The agent's time stands still from the beginning of a look to its end.
  expect(looks.length).toBeGreaterThan(0);
  for (const [before, after] of looks) expect(after).toBe(before);
});
