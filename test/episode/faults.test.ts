import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesWith } from '../../src/chromium/index.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { click, moves, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';

test('a server killed in the middle of a call: tool_error of the server, with what there was before', async () => {
  let pid = 0;
  const killer = moves({ tool: 'browser_snapshot' }, () => {
    setTimeout(() => process.kill(pid, 'SIGKILL'), 150);
    return { tool: 'browser_wait_for', arguments: { text: 'never', time: 20 } };
  });
  const { stop, result, of } = await play(lab, task(lab, START), killer, {
    server: 'playwright',
    before: (_, attached) => {
      pid = attached.client.pid ?? 0;
    },
  });
  expect(stop).toMatchObject({ status: 'tool_error', cause: 'server' });
  expect(result).toMatchObject({ outcome: 'server_error', steps: 2 });
  expect(of('evidence').length).toBeGreaterThanOrEqual(2);
  // The page is still there to be judged.
  expect(of('contract_eval').at(-1)).toMatchObject({ phase: 'final', verdict: 'fail' });
  await until(() => processesWith('@playwright/mcp').every((one) => one.pid !== pid), 'the server to be gone');
});

test('a browser killed in the middle: tool_error of the browser, and the next episode has another one', async () => {
  const killer = moves(read, () => {
    process.kill(browser, 'SIGKILL');
    return read;
  });
  let browser = 0;
  const { stop, result } = await play(lab, task(lab, START), killer, {
    before: (slot) => {
      browser = slot.host.browser.pid ?? 0;
    },
  });
  expect(stop).toMatchObject({ status: 'tool_error', cause: 'browser' });
  expect(result.outcome).toBe('env_error');
  const next = await play(lab, task(lab, START), moves(click('#advance'), click('#advance'), click('#advance')));
  expect(next.result.status).toBe('passed');
});

test('a tool that never answers: tool_error after the call’s own limit, while the task has time', async () => {
  const never = { tool: 'wait_for', arguments: { text: 'never to be seen', timeoutMs: 30_000 } };
  const { stop } = await play(lab, task(lab, START), moves(never), { callTimeoutMs: 400 });
  expect(stop).toMatchObject({ status: 'tool_error', cause: 'server' });
});

test('a page whose script hangs: the contract is inconclusive, not false, and the episode ends at its cap', async () => {
  const { result, of } = await play(
    lab,
    task(lab, '/hang-script', { maxDurationMs: 3_000 }),
    moves(click('button'), read, read),
  );
  expect(['timeout', 'failed']).toContain(result.status);
  expect(of('contract_eval').at(-1)?.verdict).toBe('inconclusive');
  expect(of('evidence').at(-1)?.page).toBe('unresponsive');
  expect(of('screenshot').at(-1)).toMatchObject({ ok: false, timedOut: true });
});

test('an agent that is done on a page that does not answer the last look: not known to have failed, and not counted so', async () => {
  const input = task(lab, '/hang-script', { maxDurationMs: 60_000 });
  const { stop, result } = await play(lab, input, moves(click('button'), { done: true }), { screenshots: false });
  expect(stop).toMatchObject({ status: 'failed', cause: 'browser' });
  expect(stop.reason).toContain('The page did not answer the last look.');
  expect(result.outcome).toBe('env_error');
});

test('a dialog left open never blocks the witness, and no_dialog fails by it', async () => {
  const input = task(lab, '/dialogs', { success: { kind: 'no_dialog' }, maxDurationMs: 8_000 });
  const { result, of } = await play(lab, input, moves(click('#alert'), read), { untilDone: true });
  expect(of('evidence').at(-1)).toMatchObject({ page: 'dialog', dialogOpen: true });
  expect(result).toMatchObject({
    status: 'failed',
    failedContract: { details: { dialog_open: true, dialogs_seen: 1 } },
  });
});

test('a popup does not steal the page that is judged', async () => {
  const input = task(lab, '/popup', { success: { kind: 'url', pattern: '/popup/window$' } });
  const { result } = await play(lab, input, moves(click('#open-popup'), read));
  expect(result).toMatchObject({ status: 'failed', finalUrl: `${lab.server.origin}/popup` });
});

test('a dead host: the start fails with a warning, the agent is asked all the same', async () => {
  const { result, of } = await play(lab, task(lab, 'http://nowhere.waymark-dead.test/'), moves(read));
  expect(result.status).toBe('failed');
  expect(of('warning')).toMatchObject([{ source: 'navigation' }]);
  expect(result.steps).toBe(1);
});

test('a run that is stopped from outside ends its episode at once', async () => {
  const controller = new AbortController();
  const stopper = moves(read, () => {
    controller.abort();
    return new Promise(() => {});
  });
  const { stop } = await play(lab, task(lab, START), stopper, { signal: controller.signal });
  expect(stop).toMatchObject({ status: 'tool_error', reason: 'The run was stopped from outside.' });
});
