import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WaymarkError } from '../../errors/index.ts';
import { Connection } from './connection.ts';
import { DEFAULT_TIMEOUT_MS } from './request.ts';
import type { Transport } from './transport.ts';

interface Sent {
  id: number;
  method: string;
  params: unknown;
  sessionId?: string;
}

/** A browser made of a list: what was sent to it, and a way to say something back. */
function fakeBrowser() {
  const sent: Sent[] = [];
  const transport: Transport = {
    onFrame: () => {},
    onClose: () => {},
    send: (text) => sent.push(JSON.parse(text) as Sent),
    close: () => transport.onClose('closed by us'),
  };
  const connection = new Connection(transport);
  return {
    connection,
    sent,
    say: (message: unknown) => transport.onFrame(Buffer.from(JSON.stringify(message))),
    die: (reason: string) => transport.onClose(reason),
  };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('requests', () => {
  test('carry method, params and session, and are answered by id in any order', async () => {
    const { connection, sent, say } = fakeBrowser();
    const version = connection.root.send('Browser.getVersion');
    const page = connection.session('S1').send('Page.navigate', { url: 'about:blank' });
    expect(sent).toEqual([
      { id: 1, method: 'Browser.getVersion', params: {} },
      { id: 2, method: 'Page.navigate', params: { url: 'about:blank' }, sessionId: 'S1' },
    ]);
    say({ id: 2, result: { frameId: 'F' }, sessionId: 'S1' });
    say({ id: 1, result: { product: 'P' } });
    expect(await page).toEqual({ frameId: 'F' });
    expect(await version).toEqual({ product: 'P' });
  });

  test('a refusal says whose, and the browser’s words', async () => {
    const { connection, say } = fakeBrowser();
    const failure = failureOf(connection.root.send('Target.closeTarget', { targetId: 'x' }));
    say({ id: 1, error: { code: -32602, message: 'No target with given id found' } });
    expect(await failure).toMatchObject({
      code: 'cdp_refused',
      message: 'Target.closeTarget was refused by the browser: No target with given id found',
    });
  });

  test('an answer without a waiting request is dropped', () => {
    const { say } = fakeBrowser();
    expect(() => say({ id: 99, result: {} })).not.toThrow();
  });
});

describe('deadlines and abort signals', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('a request without an answer fails at its deadline, not before, and a late answer changes nothing', async () => {
    const { connection, say } = fakeBrowser();
    const settled = vi.fn();
    const failure = failureOf(connection.root.send('Browser.getVersion', undefined, { timeoutMs: 50 }));
    void failure.then(settled);
    await vi.advanceTimersByTimeAsync(49);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    say({ id: 1, result: {} });
    expect((await failure) as WaymarkError).toBeInstanceOf(WaymarkError);
    expect(await failure).toMatchObject({
      code: 'cdp_timeout',
      message: 'Browser.getVersion was not answered within 50 ms.',
    });
  });

  test('a request without a deadline gets the default one', async () => {
    const { connection } = fakeBrowser();
    const failure = failureOf(connection.root.send('Browser.getVersion'));
    await vi.advanceTimersByTimeAsync(DEFAULT_TIMEOUT_MS);
    expect(await failure).toMatchObject({ code: 'cdp_timeout' });
  });

  test('an answered request leaves no timer behind', async () => {
    const { connection, say } = fakeBrowser();
    const { signal } = new AbortController();
    const answered = connection.root.send('Browser.getVersion', undefined, { signal });
    say({ id: 1, result: {} });
    await answered;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('an abort rejects at once, with its reason as the cause', async () => {
    const { connection } = fakeBrowser();
    const controller = new AbortController();
    const failure = failureOf(connection.root.send('Browser.getVersion', undefined, { signal: controller.signal }));
    const reason = new Error('the episode is over');
    controller.abort(reason);
    expect(await failure).toMatchObject({
      code: 'cdp_aborted',
      message: 'Browser.getVersion was aborted.',
      cause: reason,
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a signal that was aborted before sends nothing', async () => {
    const { connection, sent } = fakeBrowser();
    const signal = AbortSignal.abort();
    expect(await failureOf(connection.root.send('Browser.getVersion', undefined, { signal }))).toMatchObject({
      code: 'cdp_aborted',
    });
    expect(sent).toEqual([]);
  });
});

describe('a lost connection', () => {
  test('rejects everything that waits, in every session, and whatever comes later', async () => {
    const { connection, sent, die } = fakeBrowser();
    const page = connection.session('S1');
    const waiting = [
      failureOf(connection.root.send('Browser.getVersion')),
      failureOf(page.send('Page.reload')),
      failureOf(page.next('Page.loadEventFired')),
    ];
    die('the browser closed its pipe');
    expect(await Promise.all(waiting)).toMatchObject([
      {
        code: 'cdp_closed',
        message:
          'The connection to the browser is lost (the browser closed its pipe); Browser.getVersion was not answered.',
      },
      { code: 'cdp_closed' },
      {
        code: 'cdp_closed',
        message: "Page.loadEventFired can't happen any more: the connection to the browser is lost.",
      },
    ]);
    expect(await connection.closed).toBe('the browser closed its pipe');
    expect(connection.isOpen).toBe(false);
    const before = sent.length;
    expect(await failureOf(page.send('Page.reload'))).toMatchObject({ code: 'cdp_closed' });
    expect(await failureOf(connection.root.next('Target.targetCreated'))).toMatchObject({ code: 'cdp_closed' });
    expect(sent).toHaveLength(before);
  });

  test('is reported once, with the first reason', async () => {
    const { connection, die } = fakeBrowser();
    const onLost = vi.fn();
    connection.onLost(onLost);
    const unheard = vi.fn();
    connection.onLost(unheard)();
    die('first');
    die('second');
    expect(await connection.closed).toBe('first');
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(unheard).not.toHaveBeenCalled();
  });

  test('closing it ourselves does the same', async () => {
    const { connection } = fakeBrowser();
    const failure = failureOf(connection.root.send('Browser.getVersion'));
    connection.close();
    expect(await failure).toMatchObject({
      code: 'cdp_closed',
      message: 'The connection to the browser is lost (closed by us); Browser.getVersion was not answered.',
    });
  });
});

describe('events', () => {
  test('go to the handlers of their session only, until they stop', () => {
    const { connection, say } = fakeBrowser();
    const root = vi.fn();
    const page = vi.fn();
    const stop = connection.root.on('Target.targetCreated', root);
    connection.session('S1').on('Page.loadEventFired', page);
    say({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'S1' });
    say({ method: 'Page.loadEventFired', params: { timestamp: 2 }, sessionId: 'S2' });
    say({ method: 'Target.targetCreated', params: { targetInfo: 1 } });
    stop();
    say({ method: 'Target.targetCreated', params: { targetInfo: 2 } });
    expect(page.mock.calls).toEqual([[{ timestamp: 1 }]]);
    expect(root.mock.calls).toEqual([[{ targetInfo: 1 }]]);
  });

  test('next() takes the first that is accepted, and hears no more afterwards', async () => {
    const { connection, say } = fakeBrowser();
    const accept = vi.fn(({ timestamp }: { timestamp: number }) => timestamp > 1);
    const next = connection.session('S1').next('Page.loadEventFired', accept);
    for (const timestamp of [1, 2]) say({ method: 'Page.loadEventFired', params: { timestamp }, sessionId: 'S1' });
    expect(await next).toEqual({ timestamp: 2 });
    say({ method: 'Page.loadEventFired', params: { timestamp: 3 }, sessionId: 'S1' });
    expect(accept).toHaveBeenCalledTimes(2);
  });

  test('next() ends at its deadline, by its signal, or with its session', async () => {
    const { connection } = fakeBrowser();
    const page = connection.session('S1');
    expect(await failureOf(page.next('Page.loadEventFired', undefined, { timeoutMs: 1 }))).toMatchObject({
      code: 'cdp_timeout',
      message: 'Page.loadEventFired did not happen within 1 ms.',
    });
    const given = failureOf(page.next('Page.loadEventFired', undefined, { signal: AbortSignal.abort() }));
    expect(await given).toMatchObject({
      code: 'cdp_aborted',
      message: 'The wait for Page.loadEventFired was aborted.',
    });
    const left = failureOf(page.next('Page.loadEventFired'));
    connection.forget('S1', 'its page is gone');
    expect(await left).toMatchObject({
      code: 'cdp_session_gone',
      message: "Page.loadEventFired can't happen any more: the page is gone.",
    });
  });
});

describe('a session that goes', () => {
  test('rejects what waits in it and no other, says so, and sends nothing any more', async () => {
    const { connection, sent, say } = fakeBrowser();
    const page = connection.session('S1');
    const other = connection.session('S2');
    const failure = failureOf(page.send('Page.reload'));
    const alive = other.send('Page.reload');
    connection.forget('S1', 'its page is gone');
    expect(await failure).toMatchObject({
      code: 'cdp_session_gone',
      message: 'Page.reload was not answered: its page is gone.',
    });
    await page.detached;
    expect(await failureOf(page.send('Page.reload'))).toMatchObject({
      code: 'cdp_session_gone',
      message: 'Page.reload was not sent: its page is gone.',
    });
    expect(sent).toHaveLength(2);
    say({ id: 2, result: { ok: true }, sessionId: 'S2' });
    expect(await alive).toEqual({ ok: true });
  });
});

describe('for the gate', () => {
  test('answers and events pass as bytes, past the sessions of the harness', () => {
    const { connection, say, sent } = fakeBrowser();
    const answers: string[] = [];
    const events: string[] = [];
    connection.route('G1', (frame) => events.push(frame.toString()));
    expect(connection.passOn('G1', 'Page.reload', { a: 1 }, (frame) => answers.push(frame.toString()))).toBe(1);
    expect(sent).toEqual([{ id: 1, method: 'Page.reload', params: { a: 1 }, sessionId: 'G1' }]);
    say({ id: 1, error: { code: 1, message: 'no' }, sessionId: 'G1' });
    say({ method: 'Page.loadEventFired', params: {}, sessionId: 'G1' });
    connection.unroute('G1');
    say({ method: 'Page.loadEventFired', params: {}, sessionId: 'G1' });
    expect(answers).toEqual(['{"id":1,"error":{"code":1,"message":"no"},"sessionId":"G1"}']);
    expect(events).toEqual(['{"method":"Page.loadEventFired","params":{},"sessionId":"G1"}']);
  });

  test('an abandoned answer is dropped, and a lost connection passes nothing on', () => {
    const { connection, say, die } = fakeBrowser();
    const answer = vi.fn();
    const id = connection.passOn('G1', 'Page.reload', {}, answer);
    connection.abandon([id ?? 0]);
    say({ id, result: {}, sessionId: 'G1' });
    die('gone');
    expect(answer).not.toHaveBeenCalled();
    expect(connection.passOn('G1', 'Page.reload', {}, answer)).toBeUndefined();
  });
});
