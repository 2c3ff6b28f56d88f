/** Executors at work at the same time: each has its own tabs and its own connection, and nothing of one is taken for the other's. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import type { Session, ToolCall } from '../../src/episode/index.ts';
import {
  type EventOf,
  isToolResult,
  type JournalEvent,
  ledgerLines,
  messagesOf,
  rescoreEvents,
} from '../../src/events/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { agent, click, NEVER, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

/** The calls by which a server shows a page, changes it, and reads it. */
interface Words {
  goTo(url: string): ToolCall;
  change(title: string, colour: string): ToolCall;
  read: ToolCall;
}

const script = (title: string, colour: string): string =>
  `document.title = ${JSON.stringify(title)}; document.body.textContent = document.title; document.body.style.background = ${JSON.stringify(colour)}`;

const EMBEDDED: Words = {
  goTo: (url) => ({ tool: 'navigate', arguments: { url } }),
  change: (title, colour) => ({
    tool: 'javascript_tool',
    arguments: { code: `${script(title, colour)}; return document.title` },
  }),
  read,
};
const PLAYWRIGHT: Words = {
  goTo: (url) => ({ tool: 'browser_navigate', arguments: { url } }),
  change: (title, colour) => ({
    tool: 'browser_evaluate',
    arguments: { function: `() => { ${script(title, colour)}; return document.title; }` },
  }),
  read: { tool: 'browser_snapshot' },
};

const CALLS = 50;
const LANES = ['left', 'right'] as const;
/** A colour for each call: red tells the lane, green the call. */
const colourOf = (lane: string, n: number): [number, number, number] => [lane === 'left' ? 240 : 20, n * 5, 100];
const titleOf = (lane: string, n: number): string => `${lane} ${n}`;

describe.each([
  ['embedded', EMBEDDED],
  ['playwright', PLAYWRIGHT],
])('two executors, %s', (server, words) => {
  test('50 interleaved calls each: every result, picture and reward belongs to its call, and rescoring finds the same', async () => {
    const results = new Map<string, string>();
    const work = async (session: Session, lane: string): Promise<void> => {
      const mine = await session.executor(lane);
      await mine.step(words.goTo(`${lab.server.origin}/small`));
      // The first call shows the page; then every change is read before the next one.
      for (let n = 1; n < CALLS; n++) {
        const change = n % 2 === 1;
        const call = change ? words.change(titleOf(lane, n), `rgb(${colourOf(lane, n).join()})`) : words.read;
        const { text, isError } = await mine.step(call);
        expect(isError, text).toBe(false);
        results.set(titleOf(lane, n), text);
      }
    };
    const both = agent((session) => Promise.all(LANES.map((lane) => work(session, lane))));
    let slot: Slot | undefined;
    const colours = new Map<string, number[]>();
    const input = task(lab, '/small', { success: NEVER, maxSteps: 2 * CALLS, maxDurationMs: 300_000 });
    const { of, events, folder, result } = await play(lab, input, both, {
      server,
      before: (given) => {
        slot = given;
      },
      after: async (written) => {
        for (const file of new Set(written.of('screenshot').flatMap(({ file: name }) => name ?? []))) {
          const bytes = readFileSync(path.join(written.folder, file));
          const picture = await slot?.host.utilityPage.pictures.decode(bytes, file);
          if (!picture) throw new Error('no picture');
          const at = (picture.width * (picture.height - 10) + picture.width / 2) * 4;
          colours.set(file, [...picture.data.slice(at, at + 3)]);
        }
      },
    });
    expect(folder).not.toBe('');
    const steps = of('tool_call').filter(({ step }) => step > 0);
    expect(result).toMatchObject({ steps: 2 * CALLS, status: 'max_steps', openchromeErrors: 0 });
    // They were at work at the same time.
    const order = steps.map(({ executorId }) => executorId);
    expect(order.filter((lane, i) => i > 0 && lane !== order[i - 1]).length).toBeGreaterThan(CALLS / 2);

    const about = <T extends JournalEvent['type']>(type: T, callId: string): EventOf<T>[] =>
      of(type).filter((event) => 'callId' in event && event.callId === callId);
    for (const lane of LANES) {
      const mine = steps.filter(({ executorId }) => executorId === lane);
      expect(mine).toHaveLength(CALLS);
      for (const [n, { callId, step }] of mine.entries()) {
        if (n === 0) continue;
        const shown = n % 2 === 1 ? n : n - 1;
        const title = titleOf(lane, shown);
        const one = <T extends JournalEvent['type']>(type: T): EventOf<T> => {
          const found = about(type, callId);
          expect(
            found.map((event) => Reflect.get(event, 'executorId')),
            `${type} of step ${step}`,
          ).toEqual([lane]);
          return found[0] as EventOf<T>;
        };
        const answer = one('tool_result').text;
        expect(answer).toContain(title);
        expect(results.get(titleOf(lane, n))).toBe(answer);
        expect(one('evidence').title).toBe(title);
        one('contract_eval');
        expect(one('reward').classification === 'progress', `${title}: ${one('reward').classification}`).toBe(
          n % 2 === 1,
        );
        const pixel = colours.get(one('screenshot').file ?? '') ?? [];
        const wanted = colourOf(lane, shown);
        expect(
          pixel.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) <= 4),
          `the picture of ${title} has the colour ${pixel.join()}, not ${wanted.join()}`,
        ).toBe(true);
      }
    }
    // The trace has every call once, with its own lane and the number of its own picture.
    const traced = messagesOf(events).filter(isToolResult);
    expect(traced).toHaveLength(2 * CALLS);
    for (const { toolCallId, executorId, screenshot } of traced) {
      const [picture] = about('screenshot', toolCallId);
      expect([picture?.executorId, picture?.file]).toEqual([
        executorId,
        `screenshots/${String(screenshot).padStart(3, '0')}.jpg`,
      ]);
    }
    // The three events of a look stand together, whatever the other lane does.
    for (const [i, event] of events.entries()) {
      if (event.type === 'contract_eval') expect(events[i - 1]).toMatchObject({ type: 'evidence' });
      if (event.type === 'reward') expect(events[i - 1]).toMatchObject({ type: 'contract_eval', callId: event.callId });
    }
    const again = rescoreEvents(events);
    expect(again.differences).toEqual([]);
    expect(again.rewards).toBe(2 * CALLS);
    expect(readFileSync(path.join(folder, 'ledger.jsonl'), 'utf8')).toBe(ledgerLines(events));
  }, 240_000);

  test('each request, console entry and dialog is listed once, by the lane whose tab it came from', async () => {
    const work = async (session: Session, lane: string): Promise<void> => {
      const mine = await session.executor(lane);
      await mine.step(words.goTo(`${lab.server.origin}/small?${lane}`));
      for (let n = 0; n < 5; n++) {
        const code = `void fetch('/small?${lane}-${n}'); console.log('${lane} ${n}')`;
        await mine.step(
          server === 'embedded'
            ? { tool: 'javascript_tool', arguments: { code } }
            : { tool: 'browser_evaluate', arguments: { function: `() => { ${code} }` } },
        );
      }
    };
    const both = agent((session) => Promise.all(LANES.map((lane) => work(session, lane))));
    const { of } = await play(lab, task(lab, '/small?main', { success: NEVER }), both, { server, screenshots: false });
    for (const lane of [undefined, ...LANES]) {
      const mine = of('evidence').filter(({ executorId }) => executorId === lane);
      const urls = mine
        .flatMap(({ network = [] }) => network.map(({ url }) => url))
        .filter((url) => url.includes('/small?'));
      expect(
        urls.every((url) => url.includes(lane ?? 'main')),
        urls.join(' '),
      ).toBe(true);
      const said = mine.flatMap((event) => (event.console ?? []).map(({ text }) => text));
      expect(said).toEqual(lane === undefined ? [] : Array.from({ length: 5 }, (_, n) => `${lane} ${n}`));
      expect(mine.at(-1)?.tabs).toHaveLength(1);
    }
    const fetched = of('evidence').flatMap(({ network = [] }) =>
      network.filter(({ url, status }) => status !== undefined && /(left|right)-\d/.test(url)),
    );
    expect(new Set(fetched.map(({ url }) => url)).size).toBe(fetched.length);
  }, 120_000);

  test('a lane sees its own tabs only: not those of another lane, and those that its own tabs opened', async () => {
    const list: ToolCall =
      server === 'embedded' ? { tool: 'tabs_context' } : { tool: 'browser_tabs', arguments: { action: 'list' } };
    const open: ToolCall =
      server === 'embedded'
        ? click('#open-popup')
        : { tool: 'browser_click', arguments: { target: '#open-popup', element: 'the button' } };
    const newTab: ToolCall =
      server === 'embedded'
        ? { tool: 'tabs_create', arguments: { url: `${lab.server.origin}/small?made` } }
        : { tool: 'browser_tabs', arguments: { action: 'new', url: `${lab.server.origin}/small?made` } };
    const seen: Record<string, string> = {};
    const looker = agent(async (session) => {
      const [left, right] = await Promise.all([session.executor('left'), session.executor('right')]);
      await Promise.all([
        left.step(words.goTo(`${lab.server.origin}/popup`)),
        right.step(words.goTo(`${lab.server.origin}/small?right`)),
      ]);
      await left.step(open);
      await Promise.all([right.step(newTab), left.step(list)]);
      for (const [name, lane] of Object.entries({ main: session, left, right }))
        seen[name] = (await lane.look(list)).text;
    });
    const { stop } = await play(lab, task(lab, '/small?main', { success: NEVER }), looker, { server });
    expect(stop.status).toBe('failed');
    const shown = (text = ''): string[] =>
      [...text.matchAll(/\/(small\?\w+|popup\/window|popup)\b/g)].map(([, page = '']) => page).sort();
    expect(Object.fromEntries(Object.entries(seen).map(([name, text]) => [name, [...new Set(shown(text))]]))).toEqual({
      main: ['small?main'],
      left: ['popup', 'popup/window'],
      right: ['small?made', 'small?right'],
    });
  }, 60_000);
});
