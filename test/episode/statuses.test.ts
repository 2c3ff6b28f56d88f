import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rescoreEvents } from '../../src/events/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { click, moves, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const advance = click('#advance');

describe('how an episode ends', () => {
  test('passed: the contract passes after a step, and nothing more is asked of the agent', async () => {
    let asked = 0;
    const counting = moves(read, advance, advance, advance, () => {
      asked++;
      return { done: true };
    });
    const { stop, result, of } = await play(lab, task(lab, START), counting);
    expect(stop).toEqual({ status: 'passed', reason: 'The contract passed after step 4.' });
    expect(asked).toBe(0);
    expect(result).toMatchObject({
      status: 'passed',
      success: true,
      steps: 4,
      outcome: 'passed',
      finalVerdict: 'pass',
    });
    expect(result.failedContract).toBeUndefined();
    expect(of('contract_eval').map(({ phase, verdict }) => `${phase} ${verdict}`)).toEqual([
      'start fail',
      'step fail',
      'step fail',
      'step fail',
      'step pass',
      'final pass',
    ]);
  });

  test('a start state that passes ends nothing: the agent takes its first step', async () => {
    const input = task(lab, START, { success: { kind: 'dom_text', selector: 'h1', contains: 'Progress' } });
    const { result } = await play(lab, input, moves(read, advance));
    expect(result).toMatchObject({ status: 'passed', steps: 1, firstTool: 'read_page' });
  });

  test('failed: the agent is done, and the evidence says what was observed', async () => {
    const { stop, result } = await play(
      lab,
      task(lab, START),
      moves(read, advance, { done: true, answer: 'I think so.' }),
    );
    expect(stop).toEqual({
      status: 'failed',
      claimed: 'done',
      reason: 'The agent is done, and the contract does not pass.',
      answer: 'I think so.',
    });
    expect(result.failedContract).toMatchObject({
      verdict: 'fail',
      assertion_kind: 'dom_text',
      details: { selector: '#result', contains: 'Arrived.', text_preview: 'Progress: 1 of 3.' },
    });
  });

  test('max_steps, and a pass at the very last allowed step is a pass', async () => {
    const short = await play(lab, task(lab, START, { maxSteps: 2 }), moves(advance, advance, advance));
    expect(short.result).toMatchObject({ status: 'max_steps', success: false, steps: 2, outcome: 'max_steps' });
    const enough = await play(lab, task(lab, START, { maxSteps: 3 }), moves(advance, advance, advance));
    expect(enough.result).toMatchObject({ status: 'passed', steps: 3 });
  });

  test('timeout cuts a call that hangs, at the cap, and the end is judged and written', async () => {
    const hang = { tool: 'wait_for', arguments: { text: 'never to be seen', timeoutMs: 30_000 } };
    const { result, of } = await play(lab, task(lab, START, { maxDurationMs: 2_500 }), moves(hang));
    expect(result).toMatchObject({ status: 'timeout', outcome: 'timeout', steps: 1 });
    expect(of('contract_eval').at(-1)).toMatchObject({ phase: 'final', verdict: 'fail' });
    // The call has its end in the journal, too, and none in the score.
    expect(of('tool_result').map(({ aborted }) => aborted)).toEqual([undefined, true]);
    expect(of('reward')).toEqual([]);
  });

  test('adapter_error: an agent that throws, one that makes what is no call, and one that returns what is no outcome', async () => {
    const throws = moves(read, () => {
      throw new Error('the model is on holiday');
    });
    const thrown = await play(lab, task(lab, START), throws);
    expect(thrown.stop).toEqual({
      status: 'adapter_error',
      cause: 'adapter',
      reason: 'The agent failed: the model is on holiday',
    });
    const nonsense = await play(lab, task(lab, START), moves({ click: '#advance' } as never));
    expect(nonsense.stop).toMatchObject({
      status: 'adapter_error',
      reason: 'The agent made a call that is none: {"click":"#advance"}',
    });
    expect(nonsense.result.outcome).toBe('adapter_error');
    const talker = { kind: 'test', run: async () => ({ result: 'done' }) };
    expect((await play(lab, task(lab, START), talker as never)).stop).toMatchObject({
      status: 'adapter_error',
      reason: 'The agent failed: it returned something other than { answer, note, exhausted }',
    });
  });

  test('an agent that hangs and ignores its signal ends as timeout, and can do nothing afterwards', async () => {
    const ended = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    const stubborn = moves(({ session }) => {
      late = ended.promise.then(() => Promise.allSettled([session.step(read), session.look(read)]));
      return new Promise(() => {});
    });
    const { result, events } = await play(lab, task(lab, START, { maxDurationMs: 2_500 }), stubborn);
    ended.resolve();
    expect(result.status).toBe('timeout');
    const refused = { status: 'rejected', reason: { code: 'attempt_ended' } };
    expect(await late).toMatchObject([refused, refused]);
    expect(events.at(-1)?.type).toBe('stop');
  });

  test('an error of a tool is the agent’s to recover from: it is counted, and the episode goes on', async () => {
    const { result, of } = await play(
      lab,
      task(lab, START),
      moves(click('#not-there'), read, advance, advance, advance),
    );
    expect(result).toMatchObject({ status: 'passed', steps: 5, openchromeErrors: 1 });
    expect(result.recovery).toMatchObject({ failures: 1, recovered: 1 });
    expect(of('tool_result').find(({ isError }) => isError)).toMatchObject({ errorKind: 'element_not_found' });
    const [failed] = of('reward');
    expect(failed).toMatchObject({ classification: 'failure' });
    expect(failed?.score).toBeLessThan(0);
  }, 30_000);

  test('until done: a contract that holds tells the agent nothing, and the state at "done" is judged', async () => {
    const onwards = moves(advance, advance, advance, {
      tool: 'navigate',
      arguments: { url: `${lab.server.origin}/small` },
    });
    const { result, of } = await play(lab, task(lab, START), onwards, { untilDone: true });
    expect(of('contract_eval').some(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(result).toMatchObject({ status: 'failed', steps: 4 });
    expect(result.wandering.stepsAfterContractHeld).toBe(1);
  });

  test('a dirty slot is not scored: env_error, no step', async () => {
    const reset = { ok: false, findings: ['cookies: left (x.test)'], durationMs: 1 };
    const { stop, result } = await play(lab, task(lab, START), moves(advance), { reset });
    expect(stop).toEqual({
      status: 'tool_error',
      cause: 'reset',
      reason: 'The browser was not clean: cookies: left (x.test).',
    });
    expect(result).toMatchObject({ outcome: 'env_error', steps: 0 });
  });
});

describe('what an episode leaves', () => {
  test('pictures: one a step, the same one once, named in the journal', async () => {
    const { folder, of, result } = await play(lab, task(lab, START), moves(read, read, advance, advance, advance));
    const files = readdirSync(path.join(folder, 'screenshots'));
    const shots = of('screenshot');
    expect(shots.every(({ ok, file }) => ok && existsSync(path.join(folder, file ?? '')))).toBe(true);
    // start, read, read: the same picture three times.
    expect(shots.slice(0, 3).map(({ file }) => file)).toEqual(Array(3).fill('screenshots/001.jpg'));
    expect(files.length).toBe(result.screenshots.written);
    expect(files.length).toBeLessThan(shots.length);
  });

  test('wandering: the same call again and again is seen, and scored lower each time', async () => {
    const { result, of } = await play(
      lab,
      task(lab, '/recovery/no-progress', { maxSteps: 5 }),
      moves(read, read, read, read, read),
    );
    expect(result.wandering.repeatedLoops).toBeGreaterThanOrEqual(1);
    const scores = of('reward').map(({ score }) => score);
    expect(scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 1))).toBe(true);
    expect(scores.at(-1)).toBeLessThan(scores[0] ?? 0);
  });

  test('everything can be judged again from the journal alone, with the same verdicts, states and rewards', async () => {
    const { events } = await play(lab, task(lab, START), moves(click('#not-there'), read, advance, advance, advance));
    const again = rescoreEvents(events);
    expect(again.differences).toEqual([]);
    expect(again.verdicts).toBe(7);
    expect(again.rewards).toBe(5);
    const forged = events.map((event) =>
      event.type === 'contract_eval' && event.phase === 'final' ? { ...event, verdict: 'fail' as const } : event,
    );
    // By the forged verdict, the last look would have taken the pass back.
    expect(rescoreEvents(forged).differences).toMatchObject([
      { what: 'verdict', recorded: 'fail', again: 'pass' },
      { what: 'reward', recorded: undefined, again: { final: true, classification: 'failure' } },
    ]);
  });

  test('two episodes share nothing: what one stored, the other does not see', async () => {
    const input = task(lab, '/storage?dirty=1', { success: { kind: 'dom_text', selector: 'body', contains: 'never' } });
    await play(lab, input, moves(read));
    const probe = {
      tool: 'javascript_tool',
      arguments: { code: 'document.cookie + localStorage.length + window.name' },
    };
    const { of } = await play(lab, task(lab, '/small'), moves(probe));
    expect(of('tool_result').at(-1)?.text).toMatch(/"?0"?/);
    expect(of('tool_result').at(-1)?.text).not.toContain('dirty');
  });
});
