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

test('a page whose script hangs: the contract is inconclusive, not false, and the call that got no answer is not the server’s fault', async () => {
  const { stop, result, of } = await play(
    lab,
    task(lab, '/hang-script', { maxDurationMs: 3_000 }),
    moves(click('button'), read, read),
  );
  expect(stop).toMatchObject({ status: 'tool_error', cause: 'browser' });
  expect(stop.reason).toMatch(
    /^The time of the task was used up, and the tool interact had not answered for \d+ ms\. The page did not answer the last look\.$/,
  );
  expect(result.outcome).toBe('env_error');
  expect(of('contract_eval').at(-1)?.verdict).toBe('inconclusive');
  expect(of('evidence').at(-1)?.page).toBe('unresponsive');
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

test('a run that is stopped from outside ends its episode at once', async () => {
  const controller = new AbortController();
  const stopper = moves(read, () => {
    controller.abort();
    return new Promise(() => {});
  });
  const { stop } = await play(lab, task(lab, START), stopper, { signal: controller.signal });
  expect(stop).toMatchObject({ status: 'tool_error', reason: 'The run was stopped from outside.' });
});
