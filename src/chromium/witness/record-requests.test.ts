import { describe, expect, test } from 'vitest';
import type { Session } from '../cdp/session.ts';
import { recordRequests } from './record-requests.ts';
import { type RecordedRequest, RequestRecorder, type WantedParts } from './request-recorder.ts';

const ALL: WantedParts = { headers: new Set(['referer']), cookies: new Set(['flash']), body: true, response: true };

/** A session that tells what the test lets it tell. */
function setUp(parts: WantedParts | 'nothing' = ALL) {
  const handlers = new Map<string, (event: unknown) => void>();
  const detached = Promise.withResolvers<void>();
  const asked: string[] = [];
  const answers = new Map<string, () => Promise<unknown>>([
    ['Network.getResponseBody', async () => ({ body: '{"n":1}', base64Encoded: false })],
  ]);
  const session = {
    on: (name: string, handler: (event: unknown) => void) => handlers.set(name, handler),
    send: (name: string) => {
      asked.push(name);
      return answers.get(name)?.() ?? Promise.reject(new Error('No data found for resource.'));
    },
    detached: detached.promise,
  };
  const ended: RecordedRequest[] = [];
  const recorder = new RequestRecorder({
    wanted: () => (parts === 'nothing' ? undefined : parts),
    onEnded: (request) => ended.push(request),
    now: () => 7,
  });
  let current: RequestRecorder | undefined = recorder;
  recordRequests(session as unknown as Session, 'page', { recorder: () => current });
  return {
    ended,
    asked,
    answers,
    recorder,
    close: () => recorder.close(50),
    detach: () => detached.resolve(),
    withoutRecorder: () => {
      current = undefined;
    },
    tell: (name: string, event: object = {}) => handlers.get(`Network.${name}`)?.({ requestId: '1', ...event }),
    send: (more: object = {}, request: object = {}) =>
      handlers.get('Network.requestWillBeSent')?.({
        requestId: '1',
        frameId: 'page',
        type: 'Fetch',
        request: { method: 'POST', url: 'http://shop.test/a', headers: {}, ...request },
        ...more,
      }),
  };
}

const OK = { response: { status: 200, mimeType: 'application/json' }, hasExtraInfo: true };

describe('one request', () => {
  test('is reported with its contents, its headers as they were sent, and the cookies that it set', async () => {
    const { ended, close, send, tell } = setUp();
    // The headers come before the request is announced, and the cookies after it has ended.
    tell('requestWillBeSentExtraInfo', { headers: { Referer: 'http://shop.test/' } });
    send({}, { headers: { 'Content-Type': 'text/plain' }, hasPostData: true, postData: 'n=1' });
    tell('responseReceived', OK);
    tell('loadingFinished');
    expect(ended).toEqual([]);
    tell('responseReceivedExtraInfo', { headers: { 'Set-Cookie': 'flash=one; Path=/\nother=2\nflash=two' } });
    await close();
    expect(ended).toEqual([
      {
        number: 1,
        at: 7,
        method: 'POST',
        url: 'http://shop.test/a',
        status: 200,
        headers: { referer: 'http://shop.test/' },
        cookies: { flash: 'two' },
        body: { mediaType: 'text/plain', text: 'n=1' },
        response: { mediaType: 'application/json', text: '{"n":1}' },
      },
    ]);
  });

  test('that is redirected is two, each with its own headers', async () => {
    const { ended, close, send, tell } = setUp();
    send({ type: 'Document' });
    const redirect = { redirectResponse: { status: 302 }, redirectHasExtraInfo: true };
    send({ type: 'Document', ...redirect }, { method: 'GET', url: 'http://shop.test/b' });
    for (const name of ['/', '/a']) tell('requestWillBeSentExtraInfo', { headers: { referer: name } });
    for (const value of ['first', 'second'])
      tell('responseReceivedExtraInfo', { headers: { 'set-cookie': `flash=${value}` } });
    tell('responseReceived', OK);
    tell('loadingFinished');
    await close();
    expect(ended).toMatchObject([
      { number: 1, status: 302, navigation: true, headers: { referer: '/' }, cookies: { flash: 'first' } },
      { number: 2, status: 200, method: 'GET', headers: { referer: '/a' }, cookies: { flash: 'second' } },
    ]);
    expect(ended[0]).not.toHaveProperty('response');
  });

  test('that fails has the reason and no status', async () => {
    const { ended, close, send, tell } = setUp();
    send();
    tell('loadingFailed', { errorText: 'net::ERR_CONNECTION_RESET' });
    await close();
    expect(ended).toMatchObject([{ failed: 'net::ERR_CONNECTION_RESET' }]);
    expect(ended[0]).not.toHaveProperty('status');
  });
});

describe('what is not known', () => {
  test('a request is open at the end, and nothing is reported after it', async () => {
    const { ended, close, recorder, send, tell } = setUp();
    send();
    await close();
    expect(ended).toMatchObject([{ open: true }]);
    tell('loadingFinished');
    send({ requestId: '2' });
    expect([ended.length, recorder.counts.seen]).toEqual([1, 1]);
  });

  test('a request whose tab is closed is open; one that was answered before is not', async () => {
    const { ended, close, detach, send, tell } = setUp();
    send();
    send({ requestId: '2' });
    tell('responseReceived', { ...OK, hasExtraInfo: false, requestId: '2' });
    detach();
    await close();
    expect(ended.map(({ open, status }) => ({ open, status }))).toEqual([
      { open: true, status: undefined },
      { open: undefined, status: 200 },
    ]);
    expect(ended[1]?.response).toEqual({ problem: 'Its tab was closed before it had come.' });
  });

  test.each<[string, (() => Promise<unknown>) | undefined, RegExp]>([
    ['is gone', undefined, /could not be read: No data found/],
    ['is not a text', async () => ({ body: 'AAAA', base64Encoded: true }), /is not a text/],
    [
      'is too long',
      async () => ({ body: 'x'.repeat(300_000), base64Encoded: false }),
      /300000 bytes, and at most 262144/,
    ],
    ['does not come', () => new Promise(() => {}), /was not read in time/],
  ])('a response that %s has a problem, and the request is not open', async (_, answer, problem) => {
    const { answers, ended, close, send, tell } = setUp();
    if (answer) answers.set('Network.getResponseBody', answer);
    else answers.delete('Network.getResponseBody');
    send();
    tell('responseReceived', { ...OK, hasExtraInfo: false });
    tell('loadingFinished');
    await close();
    expect(ended).toMatchObject([{ status: 200, response: { problem: expect.stringMatching(problem) } }]);
    expect(ended[0]).not.toHaveProperty('open');
  });

  test('contents are bounded together, and requests by their number', async () => {
    const { answers, ended, close, recorder, send, tell } = setUp({ ...ALL, cookies: new Set() });
    answers.set('Network.getResponseBody', async () => ({ body: 'x'.repeat(200_000), base64Encoded: false }));
    for (let index = 0; index < 5_002; index++) {
      const requestId = String(index);
      send({ requestId });
      if (index >= 100) continue;
      tell('responseReceived', { ...OK, requestId });
      tell('loadingFinished', { requestId });
    }
    await close();
    const problems = ended.filter(({ response }) => response && 'problem' in response);
    expect(problems.length).toBe(100 - Math.floor((16 * 1024 * 1024) / 200_000));
    expect(recorder.counts).toEqual({ seen: 5_002, recorded: 5_000, dropped: 2 });
  });
});

test('without a recorder, and for what is not wanted, nothing is kept and the browser is asked for nothing', async () => {
  for (const choose of ['no recorder', 'not wanted'] as const) {
    const { ended, asked, close, send, tell, withoutRecorder } = setUp(choose === 'not wanted' ? 'nothing' : ALL);
    if (choose === 'no recorder') withoutRecorder();
    send({}, { hasPostData: true });
    tell('responseReceived', OK);
    tell('loadingFinished');
    await close();
    expect([ended, asked]).toEqual([[], []]);
  }
});
