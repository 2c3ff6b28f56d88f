/** A page may name the fields of a form as it likes; neither the tools nor the harness's looks may depend on those names. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { click, moves, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const sent = { kind: 'dom_text', selector: '#result', contains: 'Sent: 3 children to 7 Hill Road.' } as const;

test('a form whose fields hide all its properties is read, filled in and sent, and every look sees it', async () => {
  const texts: string[] = [];
  const { stop, of } = await play(
    lab,
    task(lab, '/clobbered', {
      success: {
        kind: 'and',
        children: [sent, { kind: 'dom_text', selector: 'form', contains: 'Children' }],
      },
    }),
    moves(
      read,
      ({ last }) => {
        texts.push(last?.text ?? '');
        return { tool: 'find', arguments: { query: 'send the order button' } };
      },
      ({ last }) => {
        texts.push(last?.text ?? '');
        return { tool: 'form_input', arguments: { selector: '#children', value: '3' } };
      },
      { tool: 'interact', arguments: { action: 'type', role: 'textbox', name: 'Address', value: '7 Hill Road' } },
      { tool: 'interact', arguments: { action: 'scroll_into_view', selector: 'form' } },
      { tool: 'interact', arguments: { action: 'hover', selector: 'form' } },
      { tool: 'interact', arguments: { action: 'click', text: 'Send the order' } },
    ),
  );
  expect(of('evidence').map(({ page, problem }) => ({ page, problem }))).toEqual(
    of('evidence').map(() => ({ page: 'ok', problem: undefined })),
  );
  expect(texts[0]).toContain('form "Order"');
  expect(texts[0]).toContain('spinbutton "Children" = "0"');
  expect(texts[1]).toContain('button "Send the order"');
  expect(stop).toMatchObject({ status: 'passed' });
});

test('an error of the harness’s own script is a state with its text, and not the agent’s failure', async () => {
  let opened: Slot | undefined;
  const { stop, of } = await play(
    lab,
    task(lab, '/small'),
    moves(click('#bump'), async () => {
      const [world] = opened?.firstPage.worlds ?? [];
      await world?.session.send('Runtime.evaluate', {
        expression: 'waymark.observe = () => { throw new Error("no eyes"); }',
        uniqueContextId: world.uniqueId,
      });
      return read;
    }),
    {
      before: (slot) => {
        opened = slot;
      },
    },
  );
  expect(of('evidence').at(-1)).toMatchObject({ page: 'failed', problem: expect.stringContaining('Error: no eyes') });
  expect(of('evidence').at(-1)?.facts?.unavailable?.['dom']).toContain('The look at the page failed: Error: no eyes');
  expect(stop).toMatchObject({ status: 'failed', cause: 'browser', reason: expect.stringContaining('no eyes') });
});
