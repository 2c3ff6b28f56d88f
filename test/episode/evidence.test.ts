/** What the journal's evidence tells of things that take longer than a step, and of pages with frames in them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventOf } from '../../src/events/index.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { click, moves, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const script = (code: string) => ({ tool: 'javascript_tool', arguments: { code } });

test('a request that is answered after its step stands in a later evidence again, once, with its answer', async () => {
  let answered: Promise<void> | undefined;
  const agent = moves(
    script('void fetch("/api/slow?ms=400")'),
    async () => {
      await answered;
      return read;
    },
    read,
  );
  const { of } = await play(lab, task(lab, '/small'), agent, {
    before: ({ witness }) => {
      answered = until(
        () => witness.network.entries.some(({ url, status }) => url.includes('/api/slow') && status === 200),
        'the answer',
      );
    },
  });
  const recorded = of('evidence').flatMap(({ network = [] }) => network.filter(({ url }) => url.includes('/api/slow')));
  expect(recorded.map(({ status }) => status)).toEqual([undefined, 200]);
  expect(new Set(recorded.map(({ id }) => id)).size).toBe(1);
  // It was one request.
  expect(of('evidence').at(-1)?.counters.network).toBe(
    new Set(of('evidence').flatMap(({ network = [] }) => network.map(({ id, url }) => `${id} ${url}`))).size,
  );
});

test('a dialog that is closed by a later step is recorded twice: open, and answered', async () => {
  const { of } = await play(
    lab,
    task(lab, '/dialogs'),
    moves(click('#confirm'), { tool: 'handle_dialog', arguments: { accept: true } }, read),
  );
  const recorded = of('evidence').flatMap(({ dialogs = [] }) => dialogs.map(({ accepted }) => accepted));
  expect(recorded).toEqual([undefined, true]);
});

test('the status of a page is its own document’s, whatever its frames load, and however its address is changed', async () => {
  const { of } = await play(
    lab,
    task(lab, '/recovery/blocking-page'),
    moves(
      script(
        'const frame = document.createElement("iframe"); frame.src = "/small"; document.body.append(frame); await new Promise((done) => { frame.onload = done; })',
      ),
      script('history.pushState({}, "", "/small")'),
    ),
  );
  const seen = (event: EventOf<'evidence'> | undefined) => ({
    path: new URL(event?.url ?? '').pathname,
    status: event?.status,
  });
  expect(seen(of('evidence')[0])).toEqual({ path: '/recovery/blocking-page', status: 403 });
  // The newest document of that address is a frame's, and was answered 200.
  expect(seen(of('evidence').at(-1))).toEqual({ path: '/small', status: 403 });
});
