/** An orchestrator with executors, in a real browser, with models that a test writes. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orchestratorExecutor } from '../../src/agents/index.ts';
import { isToolCall, isToolResult } from '../../src/events/index.ts';
import { readMessages } from '../../src/journal/index.ts';
import { profileOf } from '../../src/tools/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { type Played, type PlayOptions, play, task } from '../support/stage.ts';
import { type Asked, type MadeReply, madeModel } from './made-model.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const advance: MadeReply = { calls: [{ name: 'interact', input: { action: 'click', selector: '#advance' } }] };
const delegate = (instruction: string, more: object = {}): NonNullable<MadeReply['calls']>[number] => ({
  name: 'delegate',
  input: { instruction, ...more },
});
const messagesOf = ({ folder }: Played) => readMessages(path.join(folder, 'messages.jsonl'));
const never = { kind: 'dom_text', selector: '#never', contains: 'never' } as const;

interface Made {
  orchestrator: (asked: Asked, turn: number) => MadeReply;
  executor: (asked: Asked) => MadeReply;
  server?: string;
  limits?: { turns?: number; delegationSteps?: number; delegationMs?: number };
}

function made({ orchestrator, executor, server = 'embedded', limits }: Made) {
  let turn = 0;
  const models = {
    orchestrator: madeModel((asked) => orchestrator(asked, turn++), 'planner'),
    executor: madeModel(executor, 'doer'),
  };
  const settings = { observe: 'text', contextTokens: 100_000 } as const;
  const agent = orchestratorExecutor({ ...models, profile: profileOf(server), settings, limits });
  return { ...models, agent };
}

function playWith(given: Made, changes = {}, options: PlayOptions = {}) {
  return play(lab, task(lab, START, changes), made(given).agent, { server: given.server ?? 'embedded', ...options });
}

test('the trace: user, delegation, tool calls with their pictures, delegation result, assistant; roles in the usage', async () => {
  const played = await playWith(
    {
      orchestrator: (_, turn) =>
        turn === 0
          ? { calls: [delegate('Press the button three times.')] }
          : { calls: [{ name: 'complete', input: { answer: 'Pressed.' } }] },
      executor: ({ turns }) => (turns < 3 ? advance : { text: 'It says: Arrived.' }),
    },
    {},
    { untilDone: true },
  );
  expect(played.stop).toMatchObject({ status: 'passed', answer: 'Pressed.' });
  const messages = await messagesOf(played);
  expect(messages.map(({ type }) => type)).toEqual([
    'user',
    'delegation',
    ...['tool_call', 'tool_result', 'tool_call', 'tool_result', 'tool_call', 'tool_result'],
    'assistant',
    'delegation_result',
    'assistant',
  ]);
  for (const { screenshot } of messages.filter(isToolResult)) expect(screenshot).toBeGreaterThan(0);
  expect(messages.find(({ type }) => type === 'delegation_result')).toMatchObject({
    executorId: 'main',
    status: 'done',
    summary: 'It says: Arrived.',
    stepsUsed: 3,
  });
  const roles = played.of('usage').map(({ role, model }) => `${role} ${model}`);
  expect(roles).toEqual(['orchestrator planner', ...Array(4).fill('executor doer'), 'orchestrator planner']);
  expect(played.result).toMatchObject({ steps: 3 });
});

describe.each(['embedded', 'playwright'])('two executors at once, %s', (server) => {
  const CALLS = 50;
  const words = {
    goTo: (url: string) => ({ name: server === 'embedded' ? 'navigate' : 'browser_navigate', input: { url } }),
    title: (title: string) =>
      server === 'embedded'
        ? {
            name: 'javascript_tool',
            input: { code: `document.title = ${JSON.stringify(title)}; return document.title` },
          }
        : {
            name: 'browser_evaluate',
            input: { function: `() => { document.title = ${JSON.stringify(title)}; return document.title; }` },
          },
  };

  test('50 tool calls each: every result reaches the executor that asked', async () => {
    const seen = new Map<string, string[]>();
    const executor = ({ text, turns, options }: Asked): MadeReply => {
      const name = /Instruction: you are (\w+)/.exec(text)?.[1] ?? '?';
      const last = JSON.stringify(options.prompt.at(-1));
      if (turns > 1) seen.set(name, [...(seen.get(name) ?? []), /(?:left|right) \d+/.exec(last)?.[0] ?? last]);
      if (turns >= CALLS) return { text: `${name} is done.` };
      return { calls: [turns === 0 ? words.goTo(`${lab.server.origin}/small`) : words.title(`${name} ${turns}`)] };
    };
    const orchestrator = (_: Asked, turn: number): MadeReply =>
      turn === 0
        ? {
            calls: ['left', 'right'].map((executorId) =>
              delegate(`you are ${executorId}`, { executorId, maxSteps: CALLS }),
            ),
          }
        : { calls: [{ name: 'complete', input: { answer: 'Both.' } }] };
    const caps = { success: never, maxSteps: 100, maxDurationMs: 300_000 };
    const played = await playWith({ orchestrator, executor, server }, caps, { untilDone: true });
    // The last step of all is the attempt's last: its result is not waited for.
    for (const name of ['left', 'right'])
      expect(seen.get(name)?.slice(0, CALLS - 2)).toEqual(
        Array.from({ length: CALLS - 2 }, (_, n) => `${name} ${n + 1}`),
      );
    const calls = (await messagesOf(played)).filter(isToolCall);
    const order = calls.map(({ executorId }) => executorId);
    expect(order.filter((id) => id === 'left')).toHaveLength(CALLS);
    expect(order.filter((id, at) => at > 0 && id !== order[at - 1]).length).toBeGreaterThan(CALLS / 2);
    expect(played.of('message').filter(({ message }) => message.type === 'delegation_result')).toHaveLength(2);
  });
});

test('an executor that is asked again remembers what it did', async () => {
  const given = made({
    orchestrator: (_, turn) =>
      [
        { calls: [delegate('First thing.')] },
        { calls: [delegate('Second thing.', { executorId: 'main' })] },
        { calls: [{ name: 'complete', input: { answer: 'Done.' } }] },
      ][turn] ?? {},
    executor: ({ text }) => (text.includes('Second thing.') ? { text: 'Both.' } : { text: 'One.' }),
  });
  await play(lab, task(lab, START, { success: never }), given.agent);
  expect(given.executor.asked[1]?.text).toContain('First thing.');
  expect(given.executor.asked[1]?.text).toContain('One.');
  expect(given.orchestrator.asked[2]?.text).toContain('Executor main, done, 0 steps');
});

describe('limits', () => {
  test('the steps of a delegation: told to the orchestrator, who may go on', async () => {
    const given = made({
      orchestrator: (_, turn) => (turn < 2 ? { calls: [delegate('Press.', { maxSteps: 2 })] } : { text: 'Pressed.' }),
      executor: () => advance,
    });
    const played = await play(lab, task(lab, START), given.agent);
    expect(given.orchestrator.asked[1]?.text).toContain('Executor main, max_steps, 2 steps');
    expect(played.stop.status).toBe('passed');
  });

  test('the turns of the orchestrator end it as max_steps', async () => {
    const played = await playWith({
      orchestrator: () => ({ calls: [delegate('Say something.')] }),
      executor: () => ({ text: 'Something.' }),
      limits: { turns: 3 },
    });
    expect(played.of('stop')[0]).toMatchObject({ status: 'max_steps' });
    expect(played.of('stop')[0]?.reason).toContain('All 3 turns of the orchestrator were used');
  });

  test('the steps of the attempt end it as max_steps, with a result for the delegation', async () => {
    const played = await playWith(
      {
        orchestrator: () => ({ calls: [delegate('Press.')] }),
        executor: () => ({ calls: [{ name: 'read_page' }] }),
      },
      { maxSteps: 4 },
    );
    expect(played.stop.status).toBe('max_steps');
    expect((await messagesOf(played)).at(-1)).toMatchObject({
      type: 'delegation_result',
      status: 'aborted',
      stepsUsed: 4,
    });
  });

  test('the time of a delegation: the executor is stopped, the attempt goes on', async () => {
    const given = made({
      orchestrator: (_, turn) => (turn === 0 ? { calls: [delegate('Wait.')] } : { text: 'It took too long.' }),
      executor: () => ({ until: new Promise(() => {}) }),
      limits: { delegationMs: 300 },
    });
    const played = await play(lab, task(lab, START, { success: never }), given.agent);
    expect(given.orchestrator.asked[1]?.text).toContain('Executor main, timeout, 0 steps');
    expect(played.stop).toMatchObject({ status: 'failed', answer: 'It took too long.' });
  });

  test('executors: the fifth is refused, and the orchestrator is told which there are', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const given = made({
      orchestrator: (_, turn) =>
        turn === 0 ? { calls: ids.map((executorId) => delegate('Say hello.', { executorId })) } : { text: 'Enough.' },
      executor: () => ({ text: 'Hello.' }),
    });
    const played = await play(lab, task(lab, START, { success: never }), given.agent);
    expect(given.orchestrator.asked[1]?.text).toContain('4 lanes already');
    expect(given.orchestrator.asked[1]?.text).toContain('Executors that there are: a, b, c.');
    expect(played.stop.status).toBe('failed');
  });

  test('the time of the attempt in the middle of a delegation: it has a result, and nothing is done afterwards', async () => {
    const played = await playWith(
      {
        orchestrator: () => ({ calls: [delegate('Wait.')] }),
        executor: ({ turns }) => (turns === 0 ? { calls: [{ name: 'read_page' }] } : { until: new Promise(() => {}) }),
      },
      { maxDurationMs: 2_000 },
    );
    expect(played.stop.status).toBe('timeout');
    const messages = await messagesOf(played);
    expect(messages.at(-1)).toMatchObject({ type: 'delegation_result', status: 'aborted', stepsUsed: 1 });
    const types = played.events.map(({ type }) => type);
    expect(types.lastIndexOf('tool_call')).toBeLessThan(types.lastIndexOf('message'));
  });
});

test('an executor that is blocked says so, and the orchestrator gives up with the reason', async () => {
  const given = made({
    orchestrator: (_, turn) =>
      turn === 0 ? { calls: [delegate('Log in.')] } : { calls: [{ name: 'fail', input: { reason: 'No account.' } }] },
    executor: () => ({ calls: [{ name: 'report_blocked', input: { reason: 'It wants a password.' } }] }),
  });
  const played = await play(lab, task(lab, START), given.agent);
  expect(given.orchestrator.asked[1]?.text).toContain('Executor main, blocked, 0 steps:\\nIt wants a password.');
  expect(played.of('stop')[0]).toMatchObject({ status: 'failed' });
  expect(played.of('stop')[0]?.reason).toContain('The orchestrator gave up: No account.');
});

test('a provider that fails under an executor is not the agent’s failure', async () => {
  const played = await playWith({
    orchestrator: () => ({ calls: [delegate('Press.')] }),
    executor: () => {
      throw Object.assign(new Error('socket hang up'), { name: 'AI_APICallError' });
    },
  });
  expect(played.of('stop')[0]).toMatchObject({ status: 'adapter_error', cause: 'adapter' });
  expect((await messagesOf(played)).findLast(({ type }) => type === 'delegation_result')).toMatchObject({
    status: 'error',
  });
});
