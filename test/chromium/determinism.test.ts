import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFixtureServer } from '../../fixtures/server.ts';
import { type Determinism, RECORDING_FORMAT, type RecordedEntry, type Recording } from '../../src/chromium/index.ts';
import { openBrowserHost, type TestHost } from '../support/browser-host.ts';
import { evaluate, type Shown, show, until } from '../support/lab.ts';

let fixtures: Awaited<ReturnType<typeof startFixtureServer>>;
let host: TestHost;
beforeAll(async () => {
  fixtures = await startFixtureServer();
  host = await openBrowserHost({ resolverRules: fixtures.resolverRules, extraFlags: ['--site-per-process'] });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await fixtures[Symbol.asyncDispose]();
});

const START = '2020-01-02T03:04:05.000Z';
const START_MS = Date.parse(START);

async function at(settings: Determinism | undefined, path = '/random') {
  const context = await host.openContext({ determinism: settings });
  await show(context, fixtures.origin + path);
  return context;
}

/** What /random shows, by id. */
function facts(context: Shown): Promise<Record<string, string>> {
  return evaluate(
    context,
    `Object.fromEntries([...document.querySelectorAll('dd')].map((dd) => [dd.id, dd.textContent]))`,
  );
}

const three = (shown: Record<string, string>) => [shown['random-1'], shown['random-2'], shown['random-3']];
const THREE = '[Math.random(), Math.random(), Math.random()].map(String)';

/** The value of an expression in the frame or popup with this URL. */
async function inside<T>(context: Shown, url: string, expression: string): Promise<T> {
  const find = async () => {
    for (const { session } of context.witness.pages) {
      // Only the main world has the page's own Math and Date.
      const { frameTree } = await session.send('Page.getFrameTree');
      if (frameTree.frame.url === url) return session;
    }
    return undefined;
  };
  await until(async () => (await find()) !== undefined, url);
  const { result } = (await (await find())?.send('Runtime.evaluate', { expression, returnByValue: true })) ?? {};
  return result?.value as T;
}

describe('a seed', () => {
  test('gives the same numbers in another slot and after every navigation, and others for another seed', async () => {
    await using one = await at({ seed: 7 });
    await using two = await at({ seed: 7 });
    await using other = await at({ seed: 8 });
    const numbers = three(await facts(one));
    expect(three(await facts(two))).toEqual(numbers);
    expect(new Set(numbers).size).toBe(3);
    for (const n of numbers) expect(Number(n)).toBeGreaterThanOrEqual(0);
    for (const n of numbers) expect(Number(n)).toBeLessThan(1);
    expect(three(await facts(other))).not.toEqual(numbers);
    await show(one, `${fixtures.elsewhereOrigin}/random`);
    expect(three(await facts(one))).toEqual(numbers);
  });

  test('holds in popups, new tabs and frames, also before they have loaded anything, and in other processes', async () => {
    await using context = await at({ seed: 7 });
    const numbers = three(await facts(context));
    const blank = `(() => { const frame = document.createElement('iframe'); document.body.append(frame); const { Math } = frame.contentWindow; return ${THREE} })()`;
    expect(await evaluate(context, blank)).toEqual(numbers);
    const empty = `(() => { const { Math } = window.open('about:blank', '_blank', 'width=300,height=200'); return ${THREE} })()`;
    expect(await evaluate(context, empty)).toEqual(numbers);
    const written = `new Promise((resolve) => { addEventListener('message', ({ data }) => resolve(data)); const frame = document.createElement('iframe');
      frame.srcdoc = "<script>parent.postMessage(${THREE}, '*')</" + "script>"; document.body.append(frame) })`;
    expect(await evaluate(context, written)).toEqual(numbers);

    const shown = `['random-1', 'random-2', 'random-3'].map((id) => document.getElementById(id)?.textContent)`;
    const opened = [
      [`window.open('/random?popup', '_blank', 'width=300,height=200')`, `${fixtures.origin}/random?popup`],
      [`window.open('/random?tab', '_blank', 'noopener')`, `${fixtures.origin}/random?tab`],
      [`window.open('${fixtures.elsewhereOrigin}/random?away')`, `${fixtures.elsewhereOrigin}/random?away`],
    ] as const;
    for (const [how, url] of opened) {
      await evaluate(context, `${how}; 1`);
      await until(async () => (await inside<string[]>(context, url, shown))[2] !== undefined, `${url} to load`);
      await until(async () => Boolean((await inside<string[]>(context, url, shown))[2]), `${url} to run`);
      expect(await inside(context, url, shown), url).toEqual(numbers);
    }

    const away = `${fixtures.elsewhereOrigin}/random?frame`;
    await evaluate(
      context,
      `{ const frame = document.createElement('iframe'); frame.src = '${away}'; document.body.append(frame) } 1`,
    );
    await until(async () => (await context.witness.observe()).frames.some(({ url }) => url === away), 'the frame');
    const world = context.firstPage.worlds.find(({ session }) => session.id !== context.firstPage.session.id);
    expect(world, 'a frame in another process').toBeDefined();
    const read = async () =>
      (await world?.session.send('Runtime.evaluate', { expression: shown, returnByValue: true }))?.result
        .value as string[];
    await until(async () => Boolean((await read())[2]), 'the frame to run');
    expect(await read()).toEqual(numbers);
  });
});

describe('a clock', () => {
  test('frozen: it stands still, in every way of asking', async () => {
    await using context = await at({ clock: { start: START, mode: 'frozen' }, timezone: 'UTC' });
    expect((await facts(context))['now']).toBe(String(START_MS));
    const ways = await evaluate<unknown[]>(
      context,
      `(() => {
        class Later extends Date { later() { return this.getTime() + 1 } }
        const { Instant, Now } = globalThis.Temporal ?? {};
        const long = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'medium' });
        return [
          Date.now(), new Date().getTime(), Date(), new Later().later(), new Later() instanceof Later, new Later() instanceof Date,
          new Date() instanceof Date, new Date().constructor === Date, Reflect.construct(Date, []).getTime(),
          long.format(), long.formatToParts().map(({ value }) => value).join(''),
          Now ? Now.instant().toString() : '2020-01-02T03:04:05Z', Now ? Now.plainDateISO().toString() : '2020-01-02',
          Now ? Now.zonedDateTimeISO('Asia/Tokyo').toPlainDateTime().toString() : '2020-01-02T12:04:05',
        ];
      })()`,
    );
    expect(ways).toEqual([
      START_MS,
      START_MS,
      'Thu Jan 02 2020 03:04:05 GMT+0000 (Coordinated Universal Time)',
      START_MS + 1,
      true,
      true,
      true,
      true,
      START_MS,
      '1/2/20, 3:04:05 AM',
      '1/2/20, 3:04:05 AM',
      '2020-01-02T03:04:05Z',
      '2020-01-02',
      '2020-01-02T12:04:05',
    ]);
    await evaluate(context, `new Promise((resolve) => setTimeout(resolve, 5))`);
    expect(await evaluate(context, 'Date.now()')).toBe(START_MS);
  });

  test('dates that are asked for by name are left alone, and Date looks like Date', async () => {
    await using context = await at({ clock: { start: START, mode: 'frozen' }, timezone: 'UTC' });
    expect(
      await evaluate(
        context,
        `[new Date(0).getTime(), new Date('2001-02-03').toISOString(), new Date(2001, 1, 3).toISOString(), Date.UTC(2001, 1), Date.parse('1970-01-01'),
          String(new Date(undefined)), new Date(new Date(5)).getTime(), new Intl.DateTimeFormat('en').format(0), Date.name, Date.length, Object.keys(Date).length,
          JSON.stringify(structuredClone(new Date(7)))]`,
      ),
    ).toEqual([
      0,
      '2001-02-03T00:00:00.000Z',
      '2001-02-03T00:00:00.000Z',
      980985600000,
      0,
      'Invalid Date',
      5,
      '1/1/1970',
      'Date',
      7,
      0,
      '"1970-01-01T00:00:00.007Z"',
    ]);
  });

  test('running: it begins there and goes on, the same in frames of other processes', async () => {
    const before = Date.now();
    await using context = await at({ clock: { start: START } }, '/frames');
    const first = await evaluate<number>(context, 'Date.now()');
    const second = await evaluate<number>(
      context,
      `new Promise((resolve) => { const now = Date.now(); const look = () => Date.now() > now ? resolve(Date.now()) : setTimeout(look); look() })`,
    );
    await until(async () => (await context.witness.observe()).frames.length === 3, 'three frames');
    const clocks = await Promise.all(
      context.firstPage.worlds.map(
        async ({ session }) =>
          (await session.send('Runtime.evaluate', { expression: 'Date.now()' })).result.value as number,
      ),
    );
    const elapsed = Date.now() - before;
    expect(second).toBeGreaterThan(first);
    for (const time of [first, second, ...clocks]) {
      expect(time).toBeGreaterThanOrEqual(START_MS);
      expect(time).toBeLessThanOrEqual(START_MS + elapsed);
    }
  });
});

describe('place and screen', () => {
  test('time zone, locale, language, viewport and motion are as set, also in popups', async () => {
    const settings: Determinism = {
      timezone: 'Asia/Tokyo',
      locale: 'de-DE',
      viewport: { width: 801, height: 602, deviceScaleFactor: 2 },
      reducedMotion: true,
    };
    await using context = await at(settings);
    const expected = {
      'time-zone': 'Asia/Tokyo',
      offset: '-540',
      locale: 'de-DE',
      language: 'de-DE',
      number: '1.234.567,891',
      viewport: '801x602',
      'pixel-ratio': '2',
      'reduced-motion': 'reduce',
    };
    expect(await facts(context)).toMatchObject(expected);
    const url = `${fixtures.origin}/random?popup`;
    await evaluate(context, `window.open('/random?popup', '_blank', 'width=300,height=200') && 1`);
    const read = `Object.fromEntries([...document.querySelectorAll('dd')].map((dd) => [dd.id, dd.textContent]))`;
    await until(
      async () => Boolean((await inside<Record<string, string>>(context, url, read))['reduced-motion']),
      'the popup',
    );
    expect(await inside(context, url, read)).toMatchObject(expected);
  });

  test('the language is asked for in requests, and the browser’s name stays its own', async () => {
    await using plain = await at(undefined);
    await using context = await at({ locale: 'fr-CA' });
    const asked = new Promise<string | undefined>((resolve) => {
      context.firstPage.session.on('Network.requestWillBeSentExtraInfo', ({ headers }) => {
        const header = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept-language');
        resolve(header?.[1]);
      });
    });
    await show(context, `${fixtures.origin}/random`);
    expect(await asked).toMatch(/^fr-CA/);
    const name = 'navigator.userAgent + navigator.platform';
    expect(await evaluate(context, name)).toBe(await evaluate(plain, name));
  });

  test('each slot has its own', async () => {
    await using tokyo = await at({ timezone: 'Asia/Tokyo', locale: 'ja-JP' });
    await using paris = await at({ timezone: 'Europe/Paris', locale: 'fr-FR' });
    expect(await facts(tokyo)).toMatchObject({ 'time-zone': 'Asia/Tokyo', locale: 'ja-JP' });
    expect(await facts(paris)).toMatchObject({ 'time-zone': 'Europe/Paris', locale: 'fr-FR' });
  });
});

describe('workers of every kind', () => {
  /** A recording is a site that needs no server, and is secure: service workers exist there. */
  const FACTS = `JSON.stringify([Math.random(), Math.random(), Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone,
    Intl.DateTimeFormat().resolvedOptions().locale, navigator.language])`;
  const entry = (path: string, type: string, body: string): RecordedEntry => ({
    method: 'GET',
    url: `https://workers.test${path}`,
    status: 200,
    headers: [['content-type', type]],
    body,
  });
  const script = (path: string, body: string) => entry(path, 'text/javascript', body);
  const recording: Recording = {
    format: RECORDING_FORMAT,
    source: 'a test',
    entries: [
      entry('/', 'text/html', '<!doctype html><link rel="icon" href="data:,"><title>Workers</title>'),
      script('/dedicated.js', `postMessage(${FACTS})`),
      // The browser intercepts no request for the script of a worker in a worker, so that it can't be replayed from an address.
      script(
        '/nested.js',
        `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`postMessage(${FACTS})`)}]))).onmessage = ({ data }) => postMessage(data)`,
      ),
      script('/shared.js', `onconnect = ({ ports: [port] }) => port.postMessage(${FACTS})`),
      script('/service.js', `onmessage = ({ source }) => source.postMessage(${FACTS})`),
    ],
  };
  const answer = (from: string) => `new Promise((resolve) => { ${from}.onmessage = ({ data }) => resolve(data) })`;
  const WORKERS = {
    dedicated: answer(`new Worker('/dedicated.js')`),
    nested: answer(`new Worker('/nested.js')`),
    shared: answer(`new SharedWorker('/shared.js').port`),
    service: `navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then(({ active }) => {
      const said = ${answer('navigator.serviceWorker')}; active.postMessage(1); return said })`,
  };

  test('have the seed, the clock, the time zone, the locale and the language of their page, which keeps its own', async () => {
    const determinism: Determinism = {
      seed: 7,
      clock: { start: START, mode: 'frozen' },
      timezone: 'Asia/Tokyo',
      locale: 'de-DE',
    };
    await using context = await host.openContext({ determinism, network: { mode: 'replay', recording } });
    await show(context, 'https://workers.test/');
    const page = await evaluate<string>(context, FACTS);
    expect(JSON.parse(page)).toEqual([
      expect.any(Number),
      expect.any(Number),
      START_MS,
      'Asia/Tokyo',
      'de-DE',
      'de-DE',
    ]);
    for (const [kind, expression] of Object.entries(WORKERS))
      expect(await evaluate(context, expression), kind).toBe(page);
    // A worker has ended and its settings with it: the page's are its own.
    await evaluate(
      context,
      `new Promise((resolve) => { const worker = new Worker('/dedicated.js');
      worker.onmessage = () => { worker.terminate(); resolve() } })`,
    );
    await show(context, 'https://workers.test/');
    expect(await evaluate(context, FACTS)).toBe(page);
  });

  test('a clock that runs is shifted once in a service worker, which two sessions set up', async () => {
    const before = Date.now();
    await using context = await host.openContext({
      determinism: { clock: { start: START } },
      network: { mode: 'replay', recording },
    });
    await show(context, 'https://workers.test/');
    const now = Number(JSON.parse(await evaluate<string>(context, WORKERS.service))[2]);
    expect(now).toBeGreaterThanOrEqual(START_MS);
    expect(now).toBeLessThanOrEqual(START_MS + Date.now() - before);
  });
});

describe('what is not set', () => {
  test.each([undefined, {}, { reducedMotion: false }])('leaves pages alone: %j', async (settings) => {
    await using context = await at(settings);
    const native =
      '[Math.random, Date, Date.now, Intl.DateTimeFormat.prototype.formatToParts].every((f) => /\\[native code\\]/.test(f.toString()))';
    expect(await evaluate(context, native)).toBe(true);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(await facts(context)).toMatchObject({
      'time-zone': timeZone,
      locale: 'en-US',
      language: 'en-US',
      viewport: '1280x720',
      'pixel-ratio': '1',
      'reduced-motion': 'no-preference',
    });
    const before = Date.now();
    const now = await evaluate<number>(context, 'Date.now()');
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    await using again = await at(settings);
    expect(three(await facts(again))).not.toEqual(three(await facts(context)));
  });
});
