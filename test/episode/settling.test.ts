/** What a page does a moment after the call is the effect of the call; what it shows for a moment only is no success. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import { evaluate, type Lab, openLab, until } from '../support/lab.ts';
import { click, moves, NEVER, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());
afterEach(() => {
  vi.restoreAllMocks();
});

test('what is drawn two frames after a click is its effect, at every step, and not noise', async () => {
  const clicks = ['#edit', '#delete', '#edit', '#delete', '#edit', '#delete'].map(click);
  const { of } = await play(lab, task(lab, '/late', { success: NEVER, maxSteps: 10 }), moves(...clicks));
  const signals = of('reward').map(({ reasons }) => reasons.map(({ signal }) => signal));
  expect(signals.map((found) => found.includes('state_changed'))).toEqual(clicks.map(() => true));
  expect(signals.flat()).not.toContain('no_effect');
  const states = of('evidence').flatMap(({ callId, state }) => (callId === undefined ? [] : [state]));
  expect(new Set(states).size).toBe(states.length);
});

test('a contract that holds only for a moment has not passed, and the reason says so', async () => {
  let opened: Slot | undefined;
  const { stop, of } = await play(lab, task(lab, '/late'), moves(click('#arrive')), {
    before: (slot) => {
      opened = slot;
    },
    onEvent: (event) => {
      const { type, verdict } = event as { type: string; verdict?: string };
      if (type !== 'contract_eval' || verdict !== 'pass' || !opened) return;
      // The browser carries out what one session asks for in order: this comes before the final look.
      void evaluate(opened, `document.querySelector('#result').textContent = 'Gone again.'`);
    },
  });
  const evals = of('contract_eval');
  expect(evals.map(({ phase, verdict }) => [phase, verdict])).toEqual([
    ['start', 'fail'],
    ['step', 'pass'],
    ['final', 'fail'],
  ]);
  // What lasts for 120 ms is gone by then; the times are rounded.
  expect((evals[2]?.time ?? 0) - (evals[1]?.time ?? 0)).toBeGreaterThan(140);
  expect(stop).toMatchObject({
    status: 'failed',
    reason: 'The contract passed after step 1, and no longer at the final look.',
  });
});

test('a response after the start counts, also where the machine’s clock was set back in between', async () => {
  const input = task(lab, '/network', {
    success: { kind: 'network', url_pattern: '/api/created$', status_in: [201], since: 'contract_enter' },
  });
  const real = Date.now;
  let answered: Promise<void> | undefined;
  const agent = moves(click('#send-created'), async () => {
    await answered;
    return read;
  });
  const { stop } = await play(lab, input, agent, {
    before: ({ witness }) => {
      answered = until(() => witness.network.entries.some(({ status }) => status === 201), 'the answer');
    },
    onEvent: (event) => {
      if ((event as { type: string }).type !== 'tool_call') return;
      vi.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
    },
  });
  expect(stop).toMatchObject({ status: 'passed' });
});
