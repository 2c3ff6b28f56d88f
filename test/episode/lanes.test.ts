/** Executors at work at the same time: each has its own tabs and its own connection, and nothing of one is taken for the other's. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TaskInput } from '../../src/cases/index.ts';
import type { Slot } from '../../src/chromium/index.ts';
import type { Agent, Session, ToolCall } from '../../src/episode/index.ts';
import { WaymarkError } from '../../src/errors/index.ts';
import {
  type EventOf,
  isToolResult,
  type JournalEvent,
  ledgerLines,
  messagesOf,
  rescoreEvents,
} from '../../src/events/index.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { click, type Played, type PlayOptions, play, read, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const never = { kind: 'dom_text', selector: 'body', contains: 'never to be seen' } as const;
const waitFor = (timeoutMs: number): ToolCall => ({
  tool: 'wait_for',
  arguments: { text: 'never to be seen', timeoutMs },
});
const wait = waitFor(20_000);

const agent = (run: (session: Session) => Promise<unknown>): Agent => ({
  kind: 'test',
  run: async (session) => {
    await run(session);
    return {};
  },
});

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
    const input = task(lab, '/small', { success: never, maxSteps: 2 * CALLS, maxDurationMs: 300_000 });
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
    const { of } = await play(lab, task(lab, '/small?main', { success: never }), both, { server, screenshots: false });
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
    const { stop } = await play(lab, task(lab, '/small?main', { success: never }), looker, { server });
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

describe('what ends an attempt ends it for every lane', () => {
  /** One lane waits in a call, the other does what ends the attempt. */
  async function ending(
    act: (session: Session, other: Session) => Promise<unknown>,
    changes: Parameters<typeof task>[2] = {},
    options: PlayOptions = {},
    first: ToolCall = wait,
  ): Promise<Played & { refused: unknown; waited: unknown }> {
    let waited: unknown;
    let refused: unknown;
    const both = agent(async (session) => {
      const [idle, busy] = await Promise.all([session.executor('idle'), session.executor('busy')]);
      const waiting = idle.step(first).then(
        () => 'answered',
        (error: unknown) => error,
      );
      await busy.step({ tool: 'navigate', arguments: { url: lab.server.origin + START } });
      await act(busy, session).catch(() => {});
      waited = await waiting;
      refused = await busy.step(read).catch((error: unknown) => error);
    });
    const played = await play(lab, task(lab, '/small', changes), both, options);
    return { ...played, refused, waited };
  }
  const advance = click('#advance');
  const ended = { code: 'attempt_ended' };

  test('the contract passes on one lane’s page: the other’s call is aborted, without a reward, and the journal names the lane', async () => {
    const { stop, of, result, waited, refused, events } = await ending(async (busy) => {
      for (let i = 0; i < 3; i++) await busy.step(advance);
    });
    expect(stop).toEqual({
      status: 'passed',
      reason: expect.stringMatching(/^The contract passed after step \d\.$/),
      executorId: 'busy',
    });
    expect(waited).toMatchObject(ended);
    expect(refused).toMatchObject(ended);
    const [call] = of('tool_call').filter(({ executorId }) => executorId === 'idle');
    expect(of('tool_result').filter(({ executorId }) => executorId === 'idle')).toMatchObject([
      { callId: call?.callId, aborted: true },
    ]);
    expect(of('reward').some(({ executorId }) => executorId === 'idle')).toBe(false);
    expect(
      of('contract_eval')
        .filter(({ phase }) => phase === 'final')
        .map(({ executorId, verdict }) => `${executorId} ${verdict}`),
    ).toEqual(['undefined fail', 'idle fail', 'busy pass']);
    expect(result).toMatchObject({
      status: 'passed',
      finalVerdict: 'pass',
      finalUrl: `${lab.server.origin}${START}#progress-3`,
    });
    expect(rescoreEvents(events).differences).toEqual([]);
  });

  test('the contract must hold whole on one page, not by halves on two', async () => {
    const success: TaskInput['success'] = {
      kind: 'and',
      children: [
        { kind: 'url', pattern: '/small$' },
        { kind: 'dom_text', selector: '#result', contains: 'Progress' },
      ],
    };
    // The step that was admitted before the cap was reached is made to its end.
    const { stop, waited } = await ending(
      async (busy) => busy.step(advance),
      { success, maxSteps: 3 },
      {},
      waitFor(1_000),
    );
    expect(stop.status).toBe('max_steps');
    expect(waited).toBe('answered');
  });

  test('steps: lanes together never exceed the cap, and the last admitted step ends the attempt', async () => {
    const counted: string[] = [];
    const eager = agent(async (session) => {
      const lanes = await Promise.all(['a', 'b', 'c'].map((id) => session.executor(id)));
      const steps = lanes.flatMap((lane) => Array.from({ length: 5 }, () => lane.step({ tool: 'tabs_context' })));
      for (const { status } of await Promise.allSettled(steps)) counted.push(status);
    });
    const { stop, result, of } = await play(lab, task(lab, '/small', { success: never, maxSteps: 7 }), eager);
    expect(stop.status).toBe('max_steps');
    expect(result.steps).toBe(7);
    expect(counted.filter((status) => status === 'fulfilled')).toHaveLength(7);
    expect(
      of('tool_call')
        .map(({ step }) => step)
        .filter((step) => step > 0)
        .sort(),
    ).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('a guarded action', async () => {
    const { stop, waited } = await ending((busy) => busy.step(advance), { guardedActions: ['click #advance'] });
    expect(stop).toMatchObject({ status: 'failed', cause: 'guard' });
    expect(waited).toMatchObject(ended);
  });

  test('the deadline', async () => {
    const { stop, waited } = await ending((busy) => busy.step(wait), { maxDurationMs: 4_000 });
    expect(stop).toMatchObject({ status: 'timeout' });
    expect(waited).toMatchObject(ended);
  });

  test('a lane’s server that is lost is a fault of the server, whichever lane it is', async () => {
    let pids: number[] = [];
    const outcomes: unknown[] = [];
    const loser = agent(async (session) => {
      const left = await session.executor('left');
      await left.step({ tool: 'browser_snapshot' });
      const waiting = session
        .step({ tool: 'browser_wait_for', arguments: { time: 20 } })
        .catch((error: unknown) => error);
      process.kill(pids.at(-1) ?? 0, 'SIGKILL');
      outcomes.push(await waiting);
    });
    const { stop, result, of } = await play(lab, task(lab, '/small', { success: never }), loser, {
      server: 'playwright',
      change: (server) => ({
        ...server,
        openLane: async (signal) => {
          const lane = await server.openLane(signal);
          pids = [...pids, lane.client.pid ?? 0];
          return lane;
        },
      }),
    });
    expect(stop).toMatchObject({ status: 'tool_error', cause: 'server', reason: expect.stringContaining('lost') });
    expect(result.outcome).toBe('server_error');
    expect(outcomes).toMatchObject([ended]);
    expect(of('tool_result').at(-1)).toMatchObject({ aborted: true });
  }, 60_000);
});

describe('opening lanes', () => {
  test('the same name is the same lane, "main" is the session itself, and there are at most four', async () => {
    const found: unknown[] = [];
    const opener = agent(async (session) => {
      const [one, again] = await Promise.all([session.executor('one'), session.executor('one')]);
      await one.step({ tool: 'navigate', arguments: { url: `${lab.server.origin}/small` } });
      found.push((await again.look(read)).text.includes('Small page'));
      found.push((await (await session.executor('main')).look(read)).text.includes('Form'));
      await session.executor('two');
      await session.executor('three');
      found.push(await session.executor('four').catch((error: unknown) => error));
      found.push(await session.executor('not a name').catch((error: unknown) => error));
    });
    await play(lab, task(lab, '/form', { success: never }), opener);
    expect(found).toMatchObject([true, true, { code: 'executor_limit' }, { code: 'attempt_ended' }]);
  });

  test('it costs the agent no time', async () => {
    const used: number[] = [];
    const opener = agent(async (session) => {
      const before = session.budget.time.used;
      const began = performance.now();
      await session.executor('left');
      used.push(session.budget.time.used - before, performance.now() - began);
    });
    await play(lab, task(lab, '/small', { success: never }), opener, { server: 'playwright' });
    const [charged = 0, passed = 0] = used;
    expect(passed).toBeGreaterThan(100);
    expect(charged).toBeLessThan(passed / 4);
  });

  test('a server that can’t have two on one browser refuses, and the attempt goes on', async () => {
    let refused: unknown;
    const opener = agent(async (session) => {
      refused = await session.executor('left').catch((error: unknown) => error);
      await session.step(read);
    });
    const { stop } = await play(lab, task(lab, '/small', { success: never }), opener, {
      change: ({ openLane: _, ...server }) => ({ ...server, openLane: unsupported }),
    });
    expect(refused).toMatchObject({ code: 'executor_unsupported' });
    expect(stop.status).toBe('failed');
  });

  test('nothing of a lane is left when its attempt has ended', async () => {
    const pids: number[] = [];
    const opener = agent(async (session) => {
      await session.executor('left');
    });
    await play(lab, task(lab, '/small', { success: never }), opener, {
      server: 'playwright',
      change: (server) => ({
        ...server,
        openLane: async (signal) => {
          const lane = await server.openLane(signal);
          pids.push(lane.client.pid ?? 0);
          return lane;
        },
      }),
    });
    expect(pids).toHaveLength(1);
    await until(() => !isAlive(pids[0] ?? 0), 'the server of the lane to be gone');
  });
});

function unsupported(): Promise<never> {
  return Promise.reject(new WaymarkError({ code: 'executor_unsupported', message: 'There can be one only.' }));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
