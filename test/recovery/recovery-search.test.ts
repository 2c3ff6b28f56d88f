/** Recovery search in a real browser: what it tries, what it takes, what it leaves alone, and what it costs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Agent, Session, ToolCall } from '../../src/episode/index.ts';
import { rescoreEvents } from '../../src/events/index.ts';
import { verifyRun } from '../../src/runs/index.ts';
import { startTestModel } from '../../src/test-model/index.ts';
import { evaluate, type Lab, openLab, show } from '../support/lab.ts';
import { click, task } from '../support/stage.ts';
import { type RecoveredRun, runOnce } from './recovered-run.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

/** The notice covers the button: the call fails until the notice is closed. */
const arrive: ToolCall = { tool: 'interact', arguments: { action: 'click', selector: '#arrive', timeoutMs: 300 } };
const NETWORK = { network: { mode: 'blocked' } } as const;
const covered = (changes = {}) =>
  task(lab, '/recovery/covered', {
    goal: 'Close what is in the way, and arrive.',
    maxSteps: 6,
    ...NETWORK,
    ...changes,
  });

const agent = (run: (session: Session) => Promise<unknown>): Agent => ({
  kind: 'test',
  run: async (session) => {
    await run(session);
    return {};
  },
});
/** Makes the same calls whatever their results are. */
const persistent = (...calls: ToolCall[]): Agent =>
  agent(async (session) => {
    for (const call of calls) await session.step(call);
  });

const tried = ({ of }: RecoveredRun) =>
  of('recovery').map(({ candidates }) => candidates.map(({ from, tool, outcome }) => `${from} ${tool} ${outcome}`));
const warnings = ({ of }: RecoveredRun) =>
  of('warning')
    .filter(({ source }) => source === 'recovery')
    .map(({ message }) => message);

test('an agent that fails without it passes with it, and everything says that the harness helped', async () => {
  using without = await runOnce(lab, covered(), persistent(arrive, arrive, arrive));
  expect(without.report.summary.passed).toBe(0);
  expect(without.of('recovery')).toEqual([]);
  expect(JSON.stringify(without.report)).not.toContain('recoverySearch');

  const shown: string[] = [];
  let usedMs = Number.POSITIVE_INFINITY;
  const stubborn = agent(async (session) => {
    for (let step = 1; step <= 3; step++) shown.push((await session.step(arrive)).text);
  });
  const watched: Agent = {
    kind: 'test',
    run: (session) =>
      stubborn.run(session).finally(() => {
        usedMs = session.budget.time.used;
      }),
  };
  using found = await runOnce(lab, covered(), watched, { recoveryReplays: 10 });
  expect(found.report).toMatchObject({ recoverySearch: true, summary: { passed: 1 } });
  // The agent has made three steps: those of the replays are not among them.
  expect(found.report.episodes).toMatchObject([{ steps: 3, recoverySearch: { limit: 10, substituted: 1 } }]);
  const [search, ...more] = found.of('recovery');
  expect(more).toEqual([]);
  expect(search).toMatchObject({ step: 2, trigger: 'error', prefix: 1, substituted: true });
  const chosen = search?.candidates[search.chosen];
  expect(chosen).toMatchObject({ from: 'ranker', canonical: { target: { name: 'Close the notice' } }, score: 0.3 });
  expect(search?.candidates[0]).toMatchObject({ from: 'agent', tool: 'interact', arguments: arrive.arguments });
  expect(search?.candidates[0]?.score).toBeLessThan(0);
  const steps = found.of('tool_call').filter(({ step }) => step > 0);
  expect(steps.map(({ step, recovered }) => [step, recovered])).toEqual([
    [1, undefined],
    [2, true],
    [3, undefined],
  ]);
  const messages = readFileSync(path.join(found.root, 'episodes/test-task/trial-1/messages.jsonl'), 'utf8');
  expect(messages.match(/"recovered":true/g)).toHaveLength(1);
  expect(shown[1]).toMatch(
    /^The harness did not make your call \(interact .*#arrive.*\)\. It made this call instead: /,
  );
  // The time of the search is not the agent's.
  expect(usedMs).toBeLessThan(search?.durationMs ?? 0);

  expect(found.of('start')[0]).toMatchObject({ recovery: { replays: 10 } });
  const plan = JSON.parse(readFileSync(path.join(found.root, 'run.json'), 'utf8'));
  expect(JSON.stringify(plan)).toContain('"recovery":{"replays":10}');
  expect(readFileSync(path.join(found.root, 'report.md'), 'utf8')).toMatch(
    /^With recovery search: [\s\S]*\n\| 2 \| error \| 1 \| harness \| .*Close the notice.* \| 0\.3 \| scored \| yes \|\n/m,
  );
  expect(rescoreEvents(found.events).differences).toEqual([]);
  expect(await verifyRun(found.root, { version: '0.0.0' })).toMatchObject({ ok: true, report: [] });

  const slot = await lab.slot();
  try {
    await show(slot, pathToFileURL(path.join(found.root, 'report.html')).href);
    await expect
      .poll(() => evaluate(slot, `document.querySelector('.v-head .notice')?.innerText`))
      .toMatch(/^With recovery search: /);
    await evaluate(slot, `location.hash = '#e1'`);
    await expect
      .poll(() => evaluate(slot, `document.querySelectorAll('.v-candidates tbody tr').length`))
      .toBe(search?.candidates.length);
    expect(await evaluate(slot, `document.querySelector('.v-candidates .v-chosen').innerText`)).toMatch(
      /^harness\s+interact .*Close the notice.*carried out\s+\+0\.3\s+scored/,
    );
    expect(await evaluate(slot, `document.querySelector('.v-steps').innerText`)).toContain(
      'instead of the agent’s call',
    );
    expect(slot.witness.console.entries.map(({ text }) => text)).toEqual([]);
  } finally {
    await slot.release();
  }
}, 90_000);

test('a model that repeats a hopeless call arrives with it', async () => {
  await using model = await startTestModel({ tasks: [] });
  const baseUrl = model.baseUrls['openai-compatible'];
  const choices = { agent: 'single', model: { kind: 'openai-compatible', model: 'test:stubborn', baseUrl } } as const;
  const input = task(lab, '/recovery/progress-positive#progress-2', { goal: 'Advance.', maxSteps: 2, ...NETWORK });
  using without = await runOnce(lab, input, persistent(), choices);
  expect(without.report.episodes).toMatchObject([{ success: false, steps: 2, testModel: true }]);
  using found = await runOnce(lab, input, persistent(), { ...choices, recoveryReplays: 3 });
  expect(found.report.episodes).toMatchObject([{ success: true, steps: 2, recoverySearch: { substituted: 1 } }]);
  expect(found.of('recovery')[0]?.candidates.at(-1)).toMatchObject({ from: 'ranker', verdict: 'pass' });
}, 120_000);

test('it is made after a stall, too, and the agent’s own call is taken where it earns something', async () => {
  const nothing = click('#check');
  const input = task(lab, '/recovery/no-progress', { maxSteps: 8, ...NETWORK });
  const go: ToolCall = { tool: 'navigate', arguments: { url: `${lab.server.origin}/small` } };
  using run = await runOnce(lab, input, persistent(nothing, nothing, nothing, go), { recoveryReplays: 10 });
  expect(run.of('recovery')).toMatchObject([
    { step: 4, trigger: 'stall', prefix: 3, chosen: 0, substituted: false, candidates: [{ outcome: 'scored' }] },
  ]);
}, 60_000);

test('the budget of replays holds, and the journal says when it is used up', async () => {
  using run = await runOnce(lab, covered(), persistent(arrive, arrive, arrive, arrive), { recoveryReplays: 2 });
  expect(run.of('recovery').at(-1)?.replays).toEqual({ used: 2, limit: 2 });
  expect(tried(run).flat()).toHaveLength(2);
  expect(warnings(run)).toEqual(['No recovery search was made. All 2 replays were used.']);
  expect(await verifyRun(run.root, { version: '0.0.0' })).toMatchObject({ ok: true });
}, 60_000);

test('a replay that does not arrive at the same page is recorded and not scored', async () => {
  const missing: ToolCall = { tool: 'interact', arguments: { action: 'click', selector: '#none', timeoutMs: 100 } };
  const input = task(lab, '/random', { maxSteps: 3, ...NETWORK });
  using run = await runOnce(lab, input, persistent(missing, missing), { recoveryReplays: 10 });
  expect(tried(run)).toEqual([['agent interact diverged']]);
  const [search] = run.of('recovery');
  expect(search).toMatchObject({ chosen: 0, substituted: false });
  expect(search?.candidates[0]?.reason).toMatch(
    /^After 1 call the replay shows another page than the attempt, at http/,
  );
  expect(search?.candidates[0]).not.toHaveProperty('score');
}, 60_000);

describe('a guarded action', () => {
  const guard = { guardedActions: ['click Close the notice'] };

  test('is never tried, and nothing else is that acts on the page', async () => {
    using run = await runOnce(lab, covered(guard), persistent(arrive, arrive, arrive), { recoveryReplays: 10 });
    expect(tried(run)[0]).toEqual(['agent interact scored', 'ranker read_page scored']);
    expect(run.report.summary.passed).toBe(0);
  }, 60_000);

  test('is not replayed once it was made', async () => {
    const close: ToolCall = {
      tool: 'interact',
      arguments: { action: 'click', role: 'button', name: 'Close the notice' },
    };
    const missing: ToolCall = { tool: 'interact', arguments: { action: 'click', selector: '#none', timeoutMs: 100 } };
    const calls = [close, missing, missing];
    const choices = { recoveryReplays: 10, allowGuarded: true };
    using run = await runOnce(lab, covered(guard), persistent(...calls), choices);
    expect(run.of('recovery')).toEqual([]);
    expect(warnings(run)).toEqual(['No recovery search was made. A guarded action was made, which is never replayed.']);
  }, 60_000);

  test('that the agent tries is its own doing: no search takes its place', async () => {
    const close: ToolCall = {
      tool: 'interact',
      arguments: { action: 'click', role: 'button', name: 'Close the notice' },
    };
    using run = await runOnce(lab, covered(guard), persistent(arrive, close), { recoveryReplays: 10 });
    expect(run.of('recovery')).toEqual([]);
    expect(run.of('stop')).toMatchObject([{ status: 'failed', cause: 'guard' }]);
  }, 60_000);
});

test('with a second lane there is no search', async () => {
  const two = agent(async (session) => {
    await session.executor('helper');
    await session.step(arrive);
    await session.step(arrive);
  });
  using run = await runOnce(lab, covered(), two, { recoveryReplays: 10 });
  expect(run.of('recovery')).toEqual([]);
  expect(warnings(run)).toEqual(['No recovery search was made. The attempt has several lanes.']);
}, 60_000);

test.each([
  ['a network that is live', {}, 'The network of the task "test-task" is live'],
  ['an agent with several lanes', NETWORK, 'Recovery search replays one lane'],
])('%s is refused before anything runs', async (_, network, message) => {
  const input = task(lab, '/recovery/covered', network);
  const kind = 'network' in network ? 'orchestrator-executor' : 'test';
  await expect(runOnce(lab, input, { ...persistent(), kind }, { recoveryReplays: 1 })).rejects.toThrow(message);
});
