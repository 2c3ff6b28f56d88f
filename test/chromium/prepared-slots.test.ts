/** Slots that are prepared ahead: what they must not have, and a browser that dies before one is used. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluate, type Lab, openLab, show } from '../support/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

test('the proof finds a tab with a history, whatever it shows now', async () => {
  await using slot = await lab.slot();
  expect((await slot.prove()).findings).toEqual([]);
  await show(slot, `${lab.server.origin}/small`);
  await evaluate(slot, `history.pushState(null, '', '?again')`);
  const { fingerprint, findings } = await slot.prove();
  expect(findings).toContain(`${fingerprint.historyLength} entries in the tab's history`);
  expect(fingerprint.historyLength).toBeGreaterThan(1);
});

test('a prepared slot whose browser dies is not handed out: another browser is started', async () => {
  await lab.pool.warm(1);
  const [browser] = lab.pool.browsers;
  process.kill(browser?.pid ?? 0, 'SIGKILL');
  // The pool does not know yet that it is gone.
  await using slot = await lab.slot();
  expect(slot.host.browser.pid).not.toBe(browser?.pid);
  await show(slot, `${lab.server.origin}/small`);
  expect(await evaluate(slot, 'document.title')).toBe('Small page');
});
