/** Opening the lanes of an attempt: names, limits, what it costs, and that nothing is left of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/episode/index.ts';
import { WaymarkError } from '../../src/errors/index.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { isAlive } from '../support/processes.ts';
import { agent, NEVER, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('opening lanes', () => {
  test('the same name is the same lane, "main" is the session itself, and there are at most four', async () => {
    const found: unknown[] = [];
    const opener = agent(async (session) => {
      const [one, again] = await Promise.all([session.executor('one'), session.executor('one')]);
      await one.step({ tool: 'navigate', arguments: { url: `${lab.server.origin}/small` } });
      found.push((await again.look(read)).text.includes('Small page'));
      found.push((await (await session.executor('main')).look(read)).text.includes('Form'));
      await session.executor('two');
      await session.executor('three');
      found.push(await session.executor('four').catch((error: unknown) => error));
      found.push(await session.executor('not a name').catch((error: unknown) => error));
    });
    await play(lab, task(lab, '/form', { success: NEVER }), opener);
    expect(found).toMatchObject([true, true, { code: 'executor_limit' }, { code: 'attempt_ended' }]);
  });

  test('it costs the agent no time', async () => {
    let session: Session | undefined;
    const used = (): number => session?.budget.time.used ?? -1;
    const during: number[] = [];
    const opener = agent(async (given) => {
      session = given;
      await given.executor('left');
    });
    await play(lab, task(lab, '/small', { success: NEVER }), opener, {
      change: (server) => ({
        ...server,
        openLane: async (signal) => {
          during.push(used());
          const lane = await server.openLane(signal);
          during.push(used());
          return lane;
        },
      }),
    });
    const [first = -1, last] = during;
    expect(first).toBeGreaterThan(0);
    expect(last).toBe(first);
  });

  test('a server that can’t have two on one browser refuses, and the attempt goes on', async () => {
    let refused: unknown;
    const opener = agent(async (session) => {
      refused = await session.executor('left').catch((error: unknown) => error);
      await session.step(read);
    });
    const { stop } = await play(lab, task(lab, '/small', { success: NEVER }), opener, {
      change: ({ openLane: _, ...server }) => ({ ...server, openLane: unsupported }),
    });
    expect(refused).toMatchObject({ code: 'executor_unsupported' });
    expect(stop.status).toBe('failed');
  });

  test('nothing of a lane is left when its attempt has ended', async () => {
    const pids: number[] = [];
    const opener = agent(async (session) => {
      await session.executor('left');
    });
    await play(lab, task(lab, '/small', { success: NEVER }), opener, {
      server: 'playwright',
      change: (server) => ({
        ...server,
        openLane: async (signal) => {
          const lane = await server.openLane(signal);
          pids.push(lane.client.pid ?? 0);
          return lane;
        },
      }),
    });
    expect(pids).toHaveLength(1);
    await until(() => !isAlive(pids[0] ?? 0), 'the server of the lane to be gone');
  });
});

function unsupported(): Promise<never> {
  return Promise.reject(new WaymarkError({ code: 'executor_unsupported', message: 'There can be one only.' }));
}
