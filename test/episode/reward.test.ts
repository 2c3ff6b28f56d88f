/** Scores of real steps on real pages: what the reward says of what an agent did. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madePart, recoveryPages } from '../../scripts/make-reward-transcript.ts';
import type { TaskInput } from '../../src/cases/index.ts';
import type { Slot } from '../../src/chromium/index.ts';
import type { Agent, ToolCall } from '../../src/episode/index.ts';
import { type EventOf, rescoreEvents } from '../../src/events/index.ts';
import { REWARD_CONSTANTS } from '../../src/reward/index.ts';
import { evaluate, type Lab, openLab } from '../support/lab.ts';
import { click, moves, type Played, play, read, type TestTurn, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const missing: ToolCall = {
  tool: 'interact',
  arguments: { action: 'click', selector: '#not-there', timeoutMs: 100 },
};
const advance = click('#advance');
const signals = (reward: EventOf<'reward'> | undefined): string[] => reward?.reasons.map(({ signal }) => signal) ?? [];

async function rewards(page: string, ...list: Parameters<typeof moves>): Promise<EventOf<'reward'>[]> {
  const input = task(lab, page, { maxSteps: Math.max(1, list.length) });
  return (await play(lab, input, moves(...list), { screenshots: false })).of('reward');
}

/** Clicks what the page's last reading calls by this name: a ref, as an agent that has read the page would. */
const clickRef =
  (name: string) =>
  ({ last }: TestTurn): ToolCall => {
    const ref = new RegExp(`\\[(\\w+)\\][^\\n]*"${name}"`).exec(last?.text ?? '')?.[1];
    if (ref === undefined) throw new Error(`no "${name}" in: ${last?.text}`);
    remembered = { tool: 'interact', arguments: { action: 'click', ref, timeoutMs: 100 } };
    return remembered;
  };
let remembered: ToolCall = read;
const again = (): ToolCall => remembered;

describe('after a failed action', () => {
  test('a fresh read scores higher than the same failure again, which costs more each time', async () => {
    const [failed, reading] = await rewards(START, missing, read);
    expect(failed).toMatchObject({ classification: 'failure', tier: 'negative' });
    expect(signals(failed)).toEqual(['element_not_found']);
    const repeated = await rewards(START, missing, missing, missing);
    expect(reading?.score).toBeGreaterThan(repeated[1]?.score ?? 1);
    expect(signals(repeated[1])).toContain('repeated_failure');
    const scores = repeated.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  test('of a stale ref, reading anew is the way out, and pressing the old ref again is not', async () => {
    const stale = [read, clickRef('Open Order 102'), click('#refresh'), again];
    const [, first, , failed, reading] = await rewards('/recovery/stale-ref', ...stale, read);
    expect(first).toMatchObject({ classification: 'progress' });
    expect(failed).toMatchObject({ classification: 'failure' });
    expect(signals(failed)).toContain('stale_ref');
    const repeated = await rewards('/recovery/stale-ref', ...stale, again);
    expect(signals(repeated[4])).toEqual(expect.arrayContaining(['stale_ref', 'repeated_failure']));
    expect(reading?.score).toBeGreaterThan(repeated[4]?.score ?? 1);
  });
});

test('a visible change is positive, and the evidence of it is named', async () => {
  const [step] = await rewards(START, advance);
  expect(step).toMatchObject({
    score: REWARD_CONSTANTS.stateChanged.value,
    classification: 'progress',
    tier: 'weak_positive',
    reasons: [
      {
        signal: 'state_changed',
        weight: REWARD_CONSTANTS.stateChanged.value,
        evidence: 'current.url, current content',
      },
    ],
  });
});

test('a button that does nothing is no progress', async () => {
  const [step] = await rewards('/recovery/no-progress', click('#check'));
  expect(step).toMatchObject({ classification: 'no_progress', tier: 'negative' });
  expect(signals(step)).toContain('no_effect');
});

test('reading the same page again and again goes down, to a floor', async () => {
  const loop = await rewards('/recovery/no-progress', read, read, read, read, read);
  const scores = loop.map(({ score }) => score);
  expect(signals(loop[0])).toEqual(['new_information']);
  expect(scores[0]).toBe(0);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores.slice(0, 4)).size).toBe(4);
  expect(scores.at(-1)).toBeGreaterThanOrEqual(REWARD_CONSTANTS.heuristicFloor.value);
  expect(loop.slice(1).every((reward) => signals(reward).includes('repeated_observation'))).toBe(true);
});

test('of an agent that only looks, the steps that the server calls stalling are counted, and no call asks for that', async () => {
  const called: string[] = [];
  const { of, result } = await play(
    lab,
    task(lab, '/recovery/no-progress', { maxSteps: 5 }),
    moves(read, read, read, read, read),
    {
      screenshots: false,
      change: (server) => ({
        ...server,
        client: {
          ...server.client,
          call: (name, args, how) => {
            called.push(name);
            return server.client.call(name, args, how);
          },
        },
      }),
    },
  );
  expect(result.noProgressEpisodes).toBe(2);
  const steps = of('tool_call').filter(({ step }) => step > 0);
  expect(of('progress').map(({ callId, status }) => [callId, status])).toEqual(
    steps.map(({ callId }, n) => [callId, n < 3 ? 'progressing' : 'stalling']),
  );
  expect(called).toEqual(['navigate', ...Array(5).fill('read_page')]);
});

test('a passing contract stands above everything that led to it, repeats and failures too', async () => {
  const path = await rewards(START, missing, missing, read, advance, advance, advance);
  const last = path.at(-1);
  expect(last).toMatchObject({ classification: 'contract_pass', tier: 'strong_positive' });
  expect(last?.score).toBeGreaterThanOrEqual(REWARD_CONSTANTS.contractPassFloor.value);
  expect(Math.max(...path.slice(0, -1).map(({ score }) => score))).toBeLessThan(last?.score ?? 0);
});

test('a click that makes a leaf of the contract hold scores higher than one that only changes the page, and rescoring gives the same', async () => {
  const success: TaskInput['success'] = {
    kind: 'and',
    children: [
      { kind: 'dom_text', selector: '#result', contains: 'Arrived.' },
      { kind: 'dom_text', selector: 'h1', contains: 'Nowhere' },
    ],
  };
  const input = task(lab, START, { maxSteps: 3, success });
  const { of, events } = await play(lab, input, moves(advance, advance, advance), { screenshots: false });
  const [changed, , reached] = of('reward');
  expect(changed).toMatchObject({ classification: 'progress', tier: 'weak_positive' });
  expect(reached).toMatchObject({ classification: 'goal_state', tier: 'strong_positive' });
  expect(reached?.reasons).toContainEqual({
    signal: 'goal_state',
    weight: REWARD_CONSTANTS.goalState.value,
    evidence: 'target.domReached',
  });
  expect(reached?.score).toBeGreaterThan(changed?.score ?? 1);
  expect(rescoreEvents(events)).toMatchObject({ rewards: 3, differences: [] });
});

test('the agent sees neither contract nor verdict nor score', async () => {
  const turns: TestTurn[] = [];
  const curious = moves(
    ...[read, advance, advance].map((move) => (turn: TestTurn) => {
      turns.push(turn);
      return move;
    }),
  );
  await play(lab, task(lab, START), curious, { screenshots: false });
  expect(turns.map(({ session }) => Object.keys(session.task).sort())).toEqual(
    Array(3).fill(['goal', 'id', 'maxSteps', 'startUrl', 'title']),
  );
  const [, first] = turns;
  expect(Object.keys(first?.last ?? {}).sort()).toEqual(['blocks', 'durationMs', 'images', 'isError', 'text', 'texts']);
  expect(Object.keys(first?.session ?? {}).sort()).toEqual([
    'budget',
    'executor',
    'look',
    'say',
    'signal',
    'step',
    'task',
    'tools',
  ]);
});

describe('pages that stop an agent are known by their structure', () => {
  const goTo = (page: string): ToolCall => ({ tool: 'navigate', arguments: { url: lab.server.origin + page } });
  const arrival = async (page: string): Promise<Played> =>
    play(lab, task(lab, '/small', { maxSteps: 1 }), moves(goTo(page)), { screenshots: false });

  test.each([
    ['/recovery/blocking-page', 'blocked_status', 'current.status=403'],
    ['/recovery/blocking-page?kind=challenge', 'blocked_status', 'current.status=403'],
    ['/recovery/blocking-page?kind=auth', 'auth_wall', 'current.status=401'],
    ['/recovery/blocking-page?kind=redirect', 'auth_wall', 'current.features.passwordForm, current.redirected'],
  ])('%s: %s', async (page, signal, evidence) => {
    const [step] = (await arrival(page)).of('reward');
    expect(step).toMatchObject({ classification: 'blocked', tier: 'negative' });
    expect(step?.reasons).toContainEqual(expect.objectContaining({ signal, evidence }));
    expect(signals(step)).not.toContain('state_changed');
  });

  test('a login that the task has secrets for is no wall, live and when it is scored again', async () => {
    const input = task(lab, '/small', { maxSteps: 1, secrets: ['SHOP_PASSWORD'] });
    const { of, events } = await play(lab, input, moves(goTo('/recovery/blocking-page?kind=redirect')), {
      screenshots: false,
      secrets: { SHOP_PASSWORD: 'swordfish-of-a-test' },
    });
    const [step] = of('reward');
    expect(step).toMatchObject({ classification: 'progress' });
    expect(signals(step)).not.toContain('auth_wall');
    expect(rescoreEvents(events)).toMatchObject({ rewards: 1, differences: [] });
  });

  test('a password form alone is no wall', async () => {
    const [step] = (await arrival('/recovery/blocking-page?kind=login')).of('reward');
    expect(step).toMatchObject({ classification: 'progress' });
  });

  test('a page full of scary words is an ordinary page', async () => {
    const { of } = await arrival('/scary-words');
    expect(of('tool_result').at(-1)?.isError).toBe(false);
    expect(of('reward')).toMatchObject([{ classification: 'progress', reasons: [{ signal: 'state_changed' }] }]);
    const looks = await rewards('/scary-words', read, click('#agree'));
    expect(looks.map(signals)).toEqual([['new_information'], ['state_changed']]);
  });
});

describe('what changes by itself is not progress', () => {
  /** Reads until the harness knows what moves by itself: the page has changed, and is the same state. Then it goes on. */
  function patient(
    list: (ToolCall | (() => Promise<void>))[],
    pauseMs = 60,
  ): { agent: Agent; onEvent: (event: unknown) => void; reads: () => number } {
    /** How often in a row it was one state. Once may be chance: what turns in a circle has come round. */
    let same = 0;
    let before: { state?: string; digests?: { dom: string } } | undefined;
    let reads = 0;
    return {
      reads: () => reads,
      onEvent: (event) => {
        const seen = event as { type: string; callId?: string } & NonNullable<typeof before>;
        if (seen.type !== 'evidence' || seen.callId === undefined) return;
        same = seen.state === before?.state && seen.digests?.dom !== before?.digests?.dom ? same + 1 : 0;
        before = seen;
      },
      agent: {
        kind: 'test',
        run: async (session) => {
          const pause = (ms = pauseMs) => new Promise((resolve) => setTimeout(resolve, ms));
          while (same < 2 && reads < 8) {
            await pause(2_500);
            reads++;
            await session.step(read);
          }
          await pause();
          for (const next of list) {
            if (typeof next === 'function') await next();
            else await session.step(next);
            await pause();
          }
          return {};
        },
      },
    };
  }

  test('/clock: looking, and pressing what does nothing, earn nothing; the button that acts does', async () => {
    // Often and fast (the clock ticks every 50 ms): in some of the short pauses nothing is seen to move, and yet it is the same noise.
    const presses = Array.from({ length: 10 }, () => click('h1'));
    const { agent, onEvent, reads } = patient([read, ...presses, click('#act')]);
    const input = task(lab, '/clock', { maxSteps: 50 });
    const { of } = await play(lab, input, agent, { onEvent });
    const [look, ...steps] = of('reward').slice(reads());
    expect(look?.classification).toMatch(/^(observation|no_progress)$/);
    expect(steps.map(({ classification }) => classification)).toEqual([
      ...presses.map(() => 'no_progress'),
      'progress',
    ]);
    expect(steps.slice(0, -1).every((step) => signals(step).includes('no_effect'))).toBe(true);
    expect(signals(steps.at(-1))).toContain('state_changed');
    // The page did change all the while, and yet it was one state until the button was pressed.
    const seen = of('evidence').filter(({ callId }) => callId !== undefined);
    const before = seen.slice(reads(), -1);
    expect(new Set(before.map(({ digests }) => digests?.dom)).size).toBe(before.length);
    expect(new Set(before.map(({ state }) => state)).size).toBe(1);
    expect(seen.at(-1)?.state).not.toBe(before[0]?.state);
  });

  test('/clock, stopped: what only the agent’s presses change is its doing, after it was known to move by itself', async () => {
    let opened: Slot | undefined;
    const stopClock = async () => {
      const text = `for (let id = 1; id < 1000; id++) clearInterval(id);
        document.querySelector('h1').onclick = ({ timeStamp }) => { document.querySelector('#clock').textContent = timeStamp; };`;
      if (opened) await evaluate(opened, text);
    };
    // What moves was known within the 2.5 seconds after a reading; in this pause the page is checked for four.
    const presses = Array.from({ length: 3 }, () => click('h1'));
    const { agent, onEvent, reads } = patient([stopClock, ...presses], 4_700);
    const before = (slot: Slot) => {
      opened = slot;
    };
    const { of, events } = await play(lab, task(lab, '/clock', { maxSteps: 50 }), agent, { onEvent, before });
    const steps = of('reward').slice(reads());
    // Twice it may have changed by chance.
    expect(steps.map(({ classification }) => classification)).toEqual(['no_progress', 'no_progress', 'progress']);
    expect(rescoreEvents(events).differences).toEqual([]);
  });
});

test('docs/recovery shows what such a run gives today', async () => {
  const folder = path.resolve(import.meta.dirname, '../../docs/recovery');
  const shown = (name: string) => madePart(readFileSync(path.join(folder, name), 'utf8'));
  // Not as it should be? `node scripts/make-reward-transcript.ts` makes it again.
  for (const [name, made] of Object.entries(await recoveryPages(lab))) expect(shown(name), name).toBe(made);
});
