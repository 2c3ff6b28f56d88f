/**
 * Seven mistakes that a first design of agents makes. Each has a test here that fails when the mistake is made again: two executors and an
 * orchestrator in a real browser, with models that the test writes.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orchestratorExecutor, single } from '../../src/agents/index.ts';
import type { OrchestratorLimits } from '../../src/agents/orchestrator/orchestrator-executor.ts';
import type { TaskInput } from '../../src/cases/index.ts';
import type { Slot } from '../../src/chromium/index.ts';
import type { Agent } from '../../src/episode/index.ts';
import {
  isDelegation,
  isDelegationResult,
  isToolCall,
  isToolResult,
  laneOf,
  metadataSchema,
} from '../../src/events/index.ts';
import { readMessages } from '../../src/journal/index.ts';
import { profileOf } from '../../src/tools/index.ts';
import { evaluate, type Lab, openLab } from '../support/lab.ts';
import { NEVER, type Played, type PlayOptions, play, task } from '../support/stage.ts';
import { type Asked, type MadeReply, madeModel } from './made-model.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const profile = profileOf('embedded');
const settings = { observe: 'text', contextTokens: 100_000 } as const;

const call = (name: string, input: object = {}): MadeReply => ({ calls: [{ name, input }] });
const advance = call('interact', { action: 'click', selector: '#advance' });
const read = call('read_page');
const waitFor = (timeoutMs: number) => call('wait_for', { text: 'never to be seen', timeoutMs });
const delegate = (...inputs: object[]): MadeReply => ({ calls: inputs.map((input) => ({ name: 'delegate', input })) });
const complete = call('complete', { answer: 'All is done.' });

type Script = (asked: Asked) => MadeReply | Promise<MadeReply>;
/** One reply a turn of the conversation; then the last again and again. */
const turnByTurn =
  (...list: (MadeReply | Script)[]): Script =>
  (asked) => {
    const reply = list[Math.min(asked.turns, list.length - 1)] ?? {};
    return typeof reply === 'function' ? reply(asked) : reply;
  };

interface Team {
  orchestrator: Script;
  executor: Script;
  limits?: Partial<OrchestratorLimits>;
}

function teamOf({ orchestrator, executor, limits }: Team): Agent {
  const models = { orchestrator: madeModel(orchestrator, 'plans'), executor: madeModel(executor, 'acts') };
  return orchestratorExecutor({ ...models, profile, settings, limits });
}

const playTeam = (team: Team, changes: Partial<TaskInput> = {}, options: PlayOptions = {}) =>
  play(lab, task(lab, START, changes), teamOf(team), options);

const messagesOf = ({ folder }: Played) => readMessages(path.join(folder, 'messages.jsonl'));
const metadataOf = ({ folder }: Played) =>
  metadataSchema.parse(JSON.parse(readFileSync(path.join(folder, 'metadata.json'), 'utf8')));

/** `left` has one long call; `right` makes two calls while it is open. */
function crossingTeam(): Team {
  const leftReplied = Promise.withResolvers<void>();
  const left = turnByTurn(
    () => {
      leftReplied.resolve();
      return waitFor(3_000);
    },
    { text: 'left is done' },
  );
  const right = turnByTurn(
    { ...call('navigate', { url: `${lab.server.origin}/small` }), until: leftReplied.promise },
    read,
    { text: 'right is done' },
  );
  return {
    orchestrator: turnByTurn(
      delegate({ instruction: 'Be left.', executorId: 'left' }, { instruction: 'Be right.', executorId: 'right' }),
      complete,
    ),
    executor: (asked) => (asked.text.includes('Be left.') ? left(asked) : right(asked)),
  };
}

test('trap 1: results, pictures and evidence belong to the call that they name, though another executor’s calls come between', async () => {
  const played = await playTeam(crossingTeam(), { success: NEVER });
  const messages = await messagesOf(played);
  const calls = messages.filter(isToolCall);
  const results = messages.filter(isToolResult);
  const of = (lane: string) =>
    calls
      .filter(({ executorId }) => executorId === lane)
      .map(({ tool, toolCallId }) => {
        const own = results.filter((result) => result.toolCallId === toolCallId);
        return { tool, results: own.map(({ executorId, result }) => [executorId, String(result)]) };
      });
  expect(of('left')).toEqual([{ tool: 'wait_for', results: [['left', expect.stringContaining('never to be seen')]] }]);
  expect(of('right')).toEqual([
    { tool: 'navigate', results: [['right', expect.stringContaining('/small')]] },
    { tool: 'read_page', results: [['right', expect.stringContaining('Small page')]] },
  ]);
  // They did cross: the first call of the journal has the last result.
  const [first] = calls.filter(({ executorId }) => executorId === 'left');
  expect(results.at(-1)?.toolCallId).toBe(first?.toolCallId);
  for (const { callId, executorId } of played.of('tool_call').filter(({ by }) => by === 'agent'))
    for (const type of ['evidence', 'contract_eval', 'reward', 'screenshot'] as const)
      expect(
        played
          .of(type)
          .filter((event) => event.callId === callId)
          .map(laneOf),
        type,
      ).toEqual([executorId]);
});

test('trap 2: the trace has delegations, the executors’ calls and what came of them, in one list', async () => {
  const played = await playTeam({
    orchestrator: turnByTurn(
      { ...delegate({ instruction: 'Advance twice.' }), text: 'First two steps.' },
      delegate({ instruction: 'Advance once more.', maxSteps: 3 }),
      complete,
    ),
    executor: turnByTurn(advance, advance, { text: 'Advanced twice.' }, advance, { text: 'There.' }),
  });
  expect(played.stop.status).toBe('passed');
  const messages = await messagesOf(played);
  expect(messages.map(({ type }) => type)).toEqual([
    'user',
    'assistant',
    'delegation',
    ...['tool_call', 'tool_result', 'tool_call', 'tool_result', 'assistant'],
    'delegation_result',
    'delegation',
    ...['tool_call', 'tool_result'],
    'delegation_result',
  ]);
  expect(messages.filter(isDelegation).map(({ instruction, maxSteps }) => [instruction, maxSteps])).toEqual([
    ['Advance twice.', 20],
    ['Advance once more.', 3],
  ]);
  expect(messages.filter(isDelegationResult).map(({ status, stepsUsed }) => [status, stepsUsed])).toEqual([
    ['done', 2],
    // The contract passed, and the attempt ended, in the middle of it.
    ['aborted', 1],
  ]);
  for (const { screenshot } of messages.filter(isToolResult)) expect(screenshot).toBeGreaterThan(0);
});

describe('trap 3: when the time is up, the agent has settled before grading starts, and nothing drives on', () => {
  /** The agent would go on with clicks if it could. */
  const then = (first: MadeReply) => turnByTurn(first, advance, advance, advance);
  const middles: [string, (late: Promise<void>) => Script][] = [
    ['a tool call', () => then(waitFor(20_000))],
    ['a model’s reply', (late) => then({ ...advance, until: late })],
  ];

  test.each(middles)('in the middle of %s', async (_, executorUntil) => {
    const late = Promise.withResolvers<void>();
    const executor = executorUntil(late.promise);
    let slot: Slot | undefined;
    const events: string[] = [];
    const agent = teamOf({ orchestrator: turnByTurn(delegate({ instruction: 'Advance.' }), complete), executor });
    const watched: Agent = {
      ...agent,
      run: async (session) => {
        try {
          return await agent.run(session);
        } finally {
          events.push('the agent has settled');
        }
      },
    };
    const played = await play(lab, task(lab, START, { maxDurationMs: 2_500 }), watched, {
      before: (given) => {
        slot = given;
      },
      onEvent: (event) => {
        const { type, phase } = Object(event);
        if (type === 'contract_eval' && phase === 'final') events.push('the last look');
      },
      after: async (written) => {
        const lastEvent = written.events.length;
        // Whatever still waits gets what it waits for.
        late.resolve();
        if (!slot) throw new Error('no slot');
        // More round trips than a click needs.
        for (let trip = 0; trip < 20; trip++) expect(await evaluate<string>(slot, 'location.hash')).toBe('');
        const lines = readFileSync(path.join(written.folder, 'events.jsonl'), 'utf8').trim().split('\n');
        expect(lines).toHaveLength(lastEvent);
      },
    });
    expect(played.stop.status).toBe('timeout');
    expect(events).toEqual(['the agent has settled', 'the last look']);
    expect(played.events.at(-1)?.type).toBe('stop');
    const aborted = played.of('message').findIndex(({ message }) => message.type === 'delegation_result');
    expect(played.of('message')[aborted]?.message).toMatchObject({ status: 'aborted' });
  });
});

describe('trap 4: max_steps can be reached, and is no error', () => {
  test('by the steps of the task', async () => {
    const agent = single({ model: madeModel(() => read), profile, settings });
    const played = await play(lab, task(lab, START, { maxSteps: 3 }), agent);
    expect(played.result).toMatchObject({ status: 'max_steps', outcome: 'max_steps', steps: 3 });
    expect(metadataOf(played)).toMatchObject({ termination_reason: 'max_steps', total_steps: 3, errors: [] });
  });

  test('by the turns of the orchestrator', async () => {
    const again = delegate({ instruction: 'Read the page.' });
    const played = await playTeam({
      orchestrator: () => again,
      executor: () => ({ text: 'Read.' }),
      limits: { turns: 3 },
    });
    expect(played.result).toMatchObject({ status: 'max_steps', outcome: 'max_steps' });
    expect(played.stop.reason).toContain('All 3 turns of the orchestrator were used');
    expect(metadataOf(played)).toMatchObject({ termination_reason: 'max_steps', errors: [] });
  });

  test('by the steps of a delegation, of which the orchestrator is told; the attempt goes on', async () => {
    let told = '';
    const played = await playTeam({
      orchestrator: turnByTurn(delegate({ instruction: 'Read.', maxSteps: 2 }), ({ text }) => {
        told = text;
        return complete;
      }),
      executor: () => read,
    });
    const [result] = (await messagesOf(played)).filter(isDelegationResult);
    expect(result).toMatchObject({ status: 'max_steps', stepsUsed: 2 });
    expect(told).toContain('Executor main, max_steps, 2 steps');
    expect(played.stop).toMatchObject({ status: 'failed', answer: 'All is done.' });
  });
});

test('trap 5: steps, tool calls, pictures tried and pictures written are four numbers', async () => {
  const team = {
    orchestrator: turnByTurn(delegate({ instruction: 'Advance.' }), complete),
    executor: turnByTurn(read, read, advance, { text: 'Advanced.' }),
  };
  const played = await playTeam(team);
  const { total_steps, tool_calls, screenshots } = metadataOf(played);
  // One call of the harness shows the start page; pages that look the same share a picture.
  expect({ total_steps, tool_calls, screenshots }).toEqual({
    total_steps: 3,
    tool_calls: 4,
    screenshots: { attempted: 5, written: 2 },
  });
  const blind = await playTeam(team, {}, { screenshots: false });
  expect(metadataOf(blind)).toMatchObject({ total_steps: 3, tool_calls: 4, screenshots: { attempted: 0, written: 0 } });
  expect(played.result.steps).toBe(3);
});

test('trap 6: an attempt that ends before the agent starts has its metadata and its messages', async () => {
  const reset = { ok: false, findings: ['cookies: left (x.test)'], durationMs: 1 };
  const asked: Asked[] = [];
  const note: Script = (now) => {
    asked.push(now);
    return complete;
  };
  const played = await playTeam({ orchestrator: note, executor: note }, {}, { reset });
  expect(asked).toEqual([]);
  expect(metadataOf(played)).toMatchObject({
    query_id: 'test-task',
    total_steps: 0,
    termination_reason: 'error',
    agent_config: { kind: 'orchestrator-executor', orchestratorModel: expect.stringContaining('plans') },
    errors: [{ source: 'window_creation', message: 'The browser was not clean: cookies: left (x.test).' }],
  });
  expect((await messagesOf(played)).map(({ type }) => type)).toEqual(['user', 'error']);
});

describe('trap 7: a delegation that never finished has a result that says aborted', () => {
  test('of an orchestrator whose executors are at work when the time is up', async () => {
    const team = crossingTeam();
    const stuck = turnByTurn(advance, { until: new Promise(() => {}) });
    const played = await playTeam({ ...team, executor: stuck }, { success: NEVER, maxDurationMs: 2_500 });
    const messages = await messagesOf(played);
    expect(messages.filter(isDelegation)).toHaveLength(2);
    expect(
      messages
        .filter(isDelegationResult)
        .map(({ executorId, status }) => [executorId, status])
        .sort(),
    ).toEqual([
      ['left', 'aborted'],
      ['right', 'aborted'],
    ]);
  });

  test('of an agent that forgets it', async () => {
    const forgetful: Agent = {
      kind: 'forgetful',
      run: async (session) => {
        const lane = await session.executor('left');
        session.say({ type: 'delegation', instruction: 'Look.', executorId: 'left' });
        await lane.step({ tool: 'read_page' });
        return {};
      },
    };
    const played = await play(lab, task(lab, START), forgetful);
    expect((await messagesOf(played)).filter(isDelegationResult)).toMatchObject([
      { executorId: 'left', status: 'aborted', stepsUsed: 1 },
    ]);
    expect(existsSync(path.join(played.folder, 'metadata.json'))).toBe(true);
  });
});
