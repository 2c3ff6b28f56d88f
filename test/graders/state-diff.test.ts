/** The grader `state-diff` on a real browser: the state is read in a tab that neither agent nor tool server sees, and graded from the files. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GraderSpec, parseTask } from '../../src/cases/index.ts';
import { Gate } from '../../src/chromium/index.ts';
import type { Agent } from '../../src/episode/index.ts';
import { type GraderContext, gradeAttempt, makeGrader } from '../../src/graders/index.ts';
import { optionsFor, targetsOf } from '../support/gate-lab.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { RawClient } from '../support/raw-client.ts';
import { click, moves, type Played, type PlayOptions, play, read, task } from '../support/stage.ts';
import { openShop, type SmallShop } from './small-shop.ts';

let lab: Lab;
let shop: SmallShop;
beforeAll(async () => {
  [lab, shop] = await Promise.all([openLab({ slots: 1 }), openShop()]);
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

type StateDiff = Extract<GraderSpec, { grader: 'state-diff' }>;
const FINISH: StateDiff = {
  grader: 'state-diff',
  stateUrl: '/finish',
  criteria: [{ query: 'cart', expected: ['Green Tea, 20 bags'] }],
};

async function graded(spec: StateDiff, agent: Agent, options: PlayOptions = {}) {
  const input = task(lab, `${shop.origin}/`, { graders: [spec], maxSteps: 20, ...SECRET });
  const played = await play(lab, input, agent, { secrets: { SHOP_PASSWORD: 'hunter2-hunter2' }, ...options });
  const grader = await makeGrader(spec, { folder: '.' });
  const context: GraderContext = { signal: new AbortController().signal, judge: undefined, keep: () => {} };
  const parsed = parseTask(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const attempt = {
    ref: { runId: 'r', caseId: 'a', trial: 1, attempt: 1 },
    subject: { kind: 'task' as const, task: parsed.task },
    answer: null,
    events: played.events,
    artifact: async (key: string) => readFileSync(path.join(played.folder, key)),
  };
  return { played, grade: await gradeAttempt(grader, attempt, context) };
}

const SECRET = { secrets: ['SHOP_PASSWORD'] };
const script = (code: string) => ({ tool: 'javascript_tool', arguments: { code } });
const urlsOf = ({ of }: Played): string[] =>
  of('evidence').flatMap(({ network = [], tabs }) => [...network, ...tabs].map(({ url }) => url));

describe('the state of an application', () => {
  test('lives in the browser, and is what the agent left there', async () => {
    const { grade, played } = await graded(FINISH, moves(click('#buy'), click('#send')));
    expect(played.stop.status).toBe('passed');
    expect(grade).toMatchObject({ verdict: 'pass', reasoning: '1 of 1 criteria hold strictly.' });
    expect((await graded(FINISH, moves(click('#buy'), click('#buy'), click('#send')))).grade.verdict).toBe('fail');
  });

  test('is read before the attempt too, where that is asked for', async () => {
    const criteria = [
      { query: 'length(before.cart)', expected: 0 },
      { query: 'length(after.cart)', expected: 1 },
    ];
    const { grade, played } = await graded({ ...FINISH, before: true, criteria }, moves(click('#buy'), click('#send')));
    expect(grade.verdict).toBe('pass');
    const types = played.events.map(({ type }) => type);
    expect(types.indexOf('app_state')).toBeLessThan(types.indexOf('tool_call'));
    // After the last look, and before the end.
    expect(types.slice(-2)).toEqual(['app_state', 'stop']);
  });

  test('is no part of the evidence, and no tab of the agent', async () => {
    const spec = { ...FINISH, before: true, criteria: [{ query: 'after.cart', expected: [] }] };
    let pages: string[] = [];
    const { grade, played } = await graded(spec, moves(read, click('#send')), {
      before: ({ witness }) => {
        pages = witness.pages.map(({ targetId }) => targetId);
      },
    });
    expect(grade.verdict).toBe('pass');
    expect(urlsOf(played).filter((url) => url.includes('/finish'))).toEqual([]);
    expect(
      played
        .of('evidence')
        .at(-1)
        ?.tabs.map(({ targetId }) => targetId),
    ).toEqual(pages);
    expect(played.of('evidence')[0]?.counters).toMatchObject({ network: 1, popups: 0 });
  });

  test('may be a file, and holds no secrets', async () => {
    const criteria = [{ query: 'orders', expected: 3 }];
    expect((await graded({ ...FINISH, stateUrl: '/state.json', criteria }, moves(click('#send')))).grade.verdict).toBe(
      'pass',
    );
    const note = script('localStorage.setItem("note", "{{secret:SHOP_PASSWORD}}")');
    const told = { ...FINISH, criteria: [{ query: 'note', expected: '{{secret:SHOP_PASSWORD}}' }] };
    const { grade, played } = await graded(told, moves(note, click('#send')));
    expect(grade.verdict).toBe('pass');
    expect(readFileSync(path.join(played.folder, 'state/after-1.json'), 'utf8')).not.toContain('hunter2');
  });
});

describe('a state that cannot be read is the environment’s fault', () => {
  test.each([
    ['/state-broken', /was answered with the status 500/],
    ['http://127.0.0.1:9/state', /could not be opened: net::ERR_/],
  ])('%s', async (stateUrl, reason) => {
    const { grade, played } = await graded({ ...FINISH, stateUrl }, moves(click('#buy'), click('#send')));
    expect(grade).toMatchObject({ verdict: 'error', score: null, reasoning: expect.stringMatching(reason) });
    expect(played.stop.status).toBe('passed');
  });

  test('a page without JSON, when its time is over; and no tab stays open', async () => {
    const { slot } = await lab.pool.acquire();
    try {
      const page = await slot.witness.readJson(`${shop.origin}/thanks`, AbortSignal.timeout(1_500));
      expect(page).toEqual({ problem: expect.stringContaining('showed no JSON in time; it shows: Thank you') });
      await slot.witness.readJson(`${shop.origin}/state-broken`, AbortSignal.timeout(10_000));
      const { targetInfos } = await slot.host.browser.connection.root.send('Target.getTargets');
      const mine = targetInfos.filter(({ browserContextId }) => browserContextId === slot.contextId);
      expect(mine.map(({ targetId }) => targetId)).toEqual([slot.firstPage.targetId]);
    } finally {
      await slot.release();
    }
  });
});

test('a tool server behind the gate sees nothing of that tab, and the tabs that it opens meanwhile are its own', async () => {
  const { slot } = await lab.pool.acquire();
  const { witness } = slot;
  const gate = await Gate.open({
    ...optionsFor(slot),
    ownsTarget: (info) => witness.owns(witness.main, info),
    makePage: (send) => witness.makeFor(witness.main, send),
  });
  const client = await RawClient.connect(gate.wsAddress);
  try {
    await client.send('Target.setDiscoverTargets', { discover: true });
    // It shows no JSON, so that it stays open until its time is over.
    const over = new AbortController();
    const reading = witness.readJson(`${shop.origin}/thanks?hidden`, over.signal);
    const made = await client.send('Target.createTarget', { url: `${shop.origin}/thanks?own` });
    await until(() => shop.requested.includes('/thanks?hidden'), 'the page of the harness');
    const seen = await targetsOf(client);
    over.abort();
    expect(await reading).toEqual({ problem: expect.stringContaining('showed no JSON in time') });
    expect(seen.map(({ type, targetId }) => (type === 'page' ? targetId : type)).sort()).toEqual(
      [slot.firstPage.targetId, made['targetId'], 'tab', 'tab'].sort(),
    );
    expect(JSON.stringify([...client.events, seen, await targetsOf(client)])).not.toContain('hidden');
    expect(witness.pages.map(({ targetId }) => targetId)).toEqual([slot.firstPage.targetId, made['targetId']]);
    expect(witness.network.entries.filter(({ url }) => url.includes('hidden'))).toEqual([]);
  } finally {
    await client[Symbol.asyncDispose]();
    await gate.close();
    await slot.release();
  }
});
