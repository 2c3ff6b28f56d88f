/** What ends an attempt ends it for every lane. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TaskInput } from '../../src/cases/index.ts';
import type { Session, ToolCall } from '../../src/episode/index.ts';
import { rescoreEvents } from '../../src/events/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { agent, click, NEVER, type Played, type PlayOptions, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const waitFor = (timeoutMs: number): ToolCall => ({
  tool: 'wait_for',
  arguments: { text: 'never to be seen', timeoutMs },
});
const wait = waitFor(20_000);

describe('what ends an attempt ends it for every lane', () => {
  /** One lane waits in a call, the other does what ends the attempt. */
  async function ending(
    act: (session: Session, other: Session) => Promise<unknown>,
    changes: Parameters<typeof task>[2] = {},
    options: PlayOptions = {},
    first: ToolCall = wait,
  ): Promise<Played & { refused: unknown; waited: unknown }> {
    let waited: unknown;
    let refused: unknown;
    const both = agent(async (session) => {
      const [idle, busy] = await Promise.all([session.executor('idle'), session.executor('busy')]);
      const waiting = idle.step(first).then(
        () => 'answered',
        (error: unknown) => error,
      );
      await busy.step({ tool: 'navigate', arguments: { url: lab.server.origin + START } });
      await act(busy, session).catch(() => {});
      waited = await waiting;
      refused = await busy.step(read).catch((error: unknown) => error);
    });
    const played = await play(lab, task(lab, '/small', changes), both, options);
    return { ...played, refused, waited };
  }
  const advance = click('#advance');
  const ended = { code: 'attempt_ended' };

  test('the contract passes on one lane’s page: the other’s call is aborted, without a reward, and the journal names the lane', async () => {
    const { stop, of, result, waited, refused, events } = await ending(async (busy) => {
      for (let i = 0; i < 3; i++) await busy.step(advance);
    });
    expect(stop).toEqual({
      status: 'passed',
      reason: expect.stringMatching(/^The contract passed after step \d\.$/),
      executorId: 'busy',
    });
    expect(waited).toMatchObject(ended);
    expect(refused).toMatchObject(ended);
    const [call] = of('tool_call').filter(({ executorId }) => executorId === 'idle');
    expect(of('tool_result').filter(({ executorId }) => executorId === 'idle')).toMatchObject([
      { callId: call?.callId, aborted: true },
    ]);
    expect(of('reward').some(({ executorId }) => executorId === 'idle')).toBe(false);
    expect(
      of('contract_eval')
        .filter(({ phase }) => phase === 'final')
        .map(({ executorId, verdict }) => `${executorId} ${verdict}`),
    ).toEqual(['undefined fail', 'idle fail', 'busy pass']);
    expect(result).toMatchObject({
      status: 'passed',
      finalVerdict: 'pass',
      finalUrl: `${lab.server.origin}${START}#progress-3`,
    });
    expect(rescoreEvents(events).differences).toEqual([]);
  });

  test('the contract must hold whole on one page, not by halves on two', async () => {
    const success: TaskInput['success'] = {
      kind: 'and',
      children: [
        { kind: 'url', pattern: '/small$' },
        { kind: 'dom_text', selector: '#result', contains: 'Progress' },
      ],
    };
    // The step that was admitted before the cap was reached is made to its end.
    const { stop, waited } = await ending(
      async (busy) => busy.step(advance),
      { success, maxSteps: 3 },
      {},
      waitFor(1_000),
    );
    expect(stop.status).toBe('max_steps');
    expect(waited).toBe('answered');
  });

  test('steps: lanes together never exceed the cap, and the last admitted step ends the attempt', async () => {
    const counted: string[] = [];
    const eager = agent(async (session) => {
      const lanes = await Promise.all(['a', 'b', 'c'].map((id) => session.executor(id)));
      const steps = lanes.flatMap((lane) => Array.from({ length: 5 }, () => lane.step({ tool: 'tabs_context' })));
      for (const { status } of await Promise.allSettled(steps)) counted.push(status);
    });
    const { stop, result, of } = await play(lab, task(lab, '/small', { success: NEVER, maxSteps: 7 }), eager);
    expect(stop.status).toBe('max_steps');
    expect(result.steps).toBe(7);
    expect(counted.filter((status) => status === 'fulfilled')).toHaveLength(7);
    expect(
      of('tool_call')
        .map(({ step }) => step)
        .filter((step) => step > 0)
        .sort(),
    ).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('a guarded action', async () => {
    const { stop, waited } = await ending((busy) => busy.step(advance), { guardedActions: ['click #advance'] });
    expect(stop).toMatchObject({ status: 'failed', cause: 'guard' });
    expect(waited).toMatchObject(ended);
  });

  test('the deadline', async () => {
    const { stop, waited } = await ending((busy) => busy.step(wait), { maxDurationMs: 4_000 });
    expect(stop).toMatchObject({ status: 'timeout' });
    expect(waited).toMatchObject(ended);
  });

  test('a lane’s server that is lost is a fault of the server, whichever lane it is', async () => {
    let pids: number[] = [];
    const outcomes: unknown[] = [];
    const loser = agent(async (session) => {
      const left = await session.executor('left');
      await left.step({ tool: 'browser_snapshot' });
      const waiting = session
        .step({ tool: 'browser_wait_for', arguments: { time: 20 } })
        .catch((error: unknown) => error);
      process.kill(pids.at(-1) ?? 0, 'SIGKILL');
      outcomes.push(await waiting);
    });
    const { stop, result, of } = await play(lab, task(lab, '/small', { success: NEVER }), loser, {
      server: 'playwright',
      change: (server) => ({
        ...server,
        openLane: async (signal) => {
          const lane = await server.openLane(signal);
          pids = [...pids, lane.client.pid ?? 0];
          return lane;
        },
      }),
    });
    expect(stop).toMatchObject({ status: 'tool_error', cause: 'server', reason: expect.stringContaining('lost') });
    expect(result.outcome).toBe('server_error');
    expect(outcomes).toMatchObject([ended]);
    expect(of('tool_result').at(-1)).toMatchObject({ aborted: true });
  }, 60_000);
});
