/** How many attempts go on at once: as many are driven as the run allows, and one more may wait for its pass to hold. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../src/episode/index.ts';
import { attemptPath, readEvents } from '../../src/runs/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { runTasks } from '../support/run-tasks.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 4 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const TRIALS = 8;

/** Says how many of it are at work at once. */
function countingAgent(): Agent & { most: number } {
  let working = 0;
  const agent = {
    kind: 'counting',
    most: 0,
    async run(session: Parameters<Agent['run']>[0]) {
      agent.most = Math.max(agent.most, ++working);
      try {
        await session.step({ tool: 'navigate', arguments: { url: `${lab.server.origin}/small` } });
      } finally {
        working--;
      }
      return {};
    },
  };
  return agent;
}

async function spans(concurrency: number): Promise<{ most: number; times: { start: number; stop: number }[] }> {
  const agent = countingAgent();
  const task = {
    id: 'small',
    title: 'Small',
    startUrl: `${lab.server.origin}/form`,
    goal: 'Open the small page.',
    success: { kind: 'url', pattern: '/small' },
  } as const;
  using runs = await runTasks(lab, [task], agent, { trials: TRIALS, concurrency });
  const results = await runs.execute();
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: TRIALS }, () => 'passed'));
  const times = await Promise.all(
    results.map(async (_, index) => {
      const where = attemptPath({ caseId: 'small', trial: index + 1, attempt: 1 });
      const events = await readEvents(path.join(runs.folder, where, 'events.jsonl'));
      return { start: events[0]?.time ?? 0, stop: events.at(-1)?.time ?? 0 };
    }),
  );
  return { most: agent.most, times: times.sort((a, b) => a.start - b.start) };
}

test('never more agents are at work than the run allows, also while passes are waited for', async () => {
  expect((await spans(2)).most).toBeLessThanOrEqual(2);
});

test('one at a time means that an attempt begins when the one before it has ended', async () => {
  const { most, times } = await spans(1);
  expect(most).toBe(1);
  for (const [index, { start }] of times.entries())
    if (index > 0) expect(start).toBeGreaterThanOrEqual(times[index - 1]?.stop ?? 0);
});
