/** The grader `network` on what a real browser requested: from the page's action to the verdict, through the journal alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NetworkRule, parseTask } from '../../src/cases/index.ts';
import type { Agent } from '../../src/episode/index.ts';
import { type GraderContext, gradeAttempt, makeGrader } from '../../src/graders/index.ts';
import { type Lab, openLab, show } from '../support/lab.ts';
import { click, moves, type Played, type PlayOptions, play, task } from '../support/stage.ts';
import { openShop, type SmallShop } from './small-shop.ts';

let lab: Lab;
let shop: SmallShop;
beforeAll(async () => {
  [lab, shop] = await Promise.all([openLab({ slots: 1 }), openShop()]);
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

const script = (code: string) => ({ tool: 'javascript_tool', arguments: { code } });
const post = (path: string, value: unknown) =>
  script(
    `await fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'content-type': 'application/json', 'x-shop': 'yes' }, body: ${JSON.stringify(JSON.stringify(value))} }).then((it) => it.text())`,
  );
const get = (path: string) => script(`await fetch(${JSON.stringify(path)}).then((it) => it.text(), () => {})`);

async function shopping(expected: readonly NetworkRule[], agent: Agent, options: PlayOptions = {}): Promise<Played> {
  const graders = expected.length === 0 ? [] : [{ grader: 'network' as const, expect: [...expected] }];
  return play(lab, task(lab, `${shop.origin}/`, { graders, maxSteps: 20 }), agent, options);
}

async function gradeOf(played: Played, expected: readonly NetworkRule[]) {
  const [start] = played.of('start');
  const parsed = parseTask((start as { task: unknown }).task);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const grader = await makeGrader({ grader: 'network', expect: [...expected] }, { folder: '.' });
  const context: GraderContext = { signal: new AbortController().signal, judge: undefined, keep: () => {} };
  return gradeAttempt(
    grader,
    {
      ref: { runId: 'r', caseId: 'a', trial: 1, attempt: 1 },
      subject: { kind: 'task', task: parsed.task },
      answer: null,
      events: played.events,
      artifact: async () => undefined,
    },
    context,
  );
}

const CONTACT: NetworkRule = {
  url: '/contact',
  method: 'POST',
  status: 302,
  body: { 'message[text]': 'I want a refund' },
  headers: { referer: '/' },
  cookies: { flash: '^.*message was sent.*$' },
};
const THANKS: NetworkRule = { url: '/thanks?from=contact', lastNavigation: true };
const NOTE: NetworkRule = {
  url: '/api/notes',
  method: 'POST',
  status: 201,
  body: { '$.note.text': 'Thanks, working on it' },
  response: { '$.note.id': 7 },
  headers: { 'X-Shop': 'yes' },
};
const NO_BUY: NetworkRule = { url: '/buy', method: 'POST', shouldNotExist: true };

describe('requests of a page', () => {
  test('a form, its redirect, a cookie and JSON are what the rules ask for', async () => {
    const rules = [CONTACT, THANKS, NOTE, NO_BUY];
    const agent = moves(post('/api/notes', { note: { text: 'Thanks, working on it' } }), click('#send'));
    const played = await shopping(rules, agent);
    expect(played.stop.status).toBe('passed');
    expect(await gradeOf(played, rules)).toMatchObject({ verdict: 'pass', score: 1, reasoning: 'All 4 rules hold.' });
    const contact = played.of('request').find(({ url }) => url.endsWith('/contact'));
    expect(contact).toMatchObject({
      method: 'POST',
      status: 302,
      navigation: true,
      headers: { referer: `${shop.origin}/` },
      cookies: { flash: 'Your%20message%20was%20sent' },
      body: { text: 'message%5Btext%5D=I+want+a+refund&key=k-1' },
    });
    expect(played.of('requests')).toMatchObject([{ recorded: 4 }]);
    // No request of no rule, and of a request no more than the rules name.
    expect(played.of('request').map(({ url }) => url.slice(shop.origin.length))).toEqual(
      expect.arrayContaining(['/', '/contact', '/thanks?from=contact', '/api/notes']),
    );
    const thanks = played.of('request').find(({ url }) => url.includes('/thanks'));
    expect(thanks).not.toHaveProperty('body');
    expect(thanks).not.toHaveProperty('headers');
  });

  test('what differs is named, and the run is not decided by it', async () => {
    const rules = [CONTACT, NOTE];
    const agent = moves(post('/api/notes', { note: { text: 'No' } }), click('#send'));
    const played = await shopping(rules, agent);
    expect(await gradeOf(played, rules)).toMatchObject({
      verdict: 'fail',
      score: 0,
      reasoning: `Rule 2 of 2 (POST /api/notes) does not hold: of POST ${shop.origin}/api/notes (201), body.$.note.text is No, not Thanks, working on it.`,
    });
  });

  test('a repeated request: the last one counts, or any', async () => {
    const rules: NetworkRule[] = [
      { url: '/api/search?q=tea', response: { query: 'tea' }, lastEventOnly: false },
      { url: '/api/search?q=milk', response: { query: 'milk' } },
      { url: '/api/search?q=tea', response: { query: 'tea' } },
    ];
    const played = await shopping(rules, moves(get('/api/search?q=tea'), get('/api/search?q=milk'), click('#send')));
    const { verdict, details } = await gradeOf(played, rules);
    expect(verdict).toBe('fail');
    expect(details).toMatchObject({ rules: [{ holds: true }, { holds: true }, { holds: false }] });
  });

  test('a request that fails has no status, and one that is refused has another', async () => {
    const rules: NetworkRule[] = [
      { url: '/api/broken', status: 'none' },
      { url: '/api/missing', status: 404 },
    ];
    const played = await shopping(rules, moves(get('/api/broken'), get('/api/missing'), click('#send')));
    expect(played.of('request').find(({ url }) => url.endsWith('/api/broken'))?.failed).toMatch(/^net::ERR_/);
    expect((await gradeOf(played, rules)).verdict).toBe('pass');
    const other: NetworkRule[] = [{ url: '/api/missing' }];
    const graded = await gradeOf(await shopping(other, moves(get('/api/missing'), click('#send'))), other);
    expect(graded).toMatchObject({ verdict: 'fail', reasoning: expect.stringContaining('status is 404, not 200') });
  });

  test('what was requested before the start page does not belong to the attempt', async () => {
    const rules: NetworkRule[] = [{ url: '/api/search', shouldNotExist: true }];
    const played = await shopping(rules, moves(click('#send')), {
      before: (slot) => show(slot, `${shop.origin}/api/search`),
    });
    expect(shop.requested).toContain('/api/search');
    expect(played.of('request')).toEqual([]);
    expect((await gradeOf(played, rules)).verdict).toBe('pass');
  });

  test('a request that should not be made', async () => {
    const rules: NetworkRule[] = [{ ...NO_BUY, url: '/contact' }];
    expect((await gradeOf(await shopping(rules, moves(click('#send'))), rules)).verdict).toBe('fail');
  });
});

describe('what cannot be judged', () => {
  test('a request that has no answer when the attempt ends is waited for, and then said', async () => {
    const rules: NetworkRule[] = [{ url: '/api/never' }];
    const played = await shopping(rules, moves(script('void fetch("/api/never")'), { done: true }));
    expect(played.of('request')).toMatchObject([{ open: true }]);
    expect(await gradeOf(played, rules)).toMatchObject({
      verdict: 'error',
      reasoning: expect.stringContaining('How the request ended is not known'),
    });
  });

  test('a response that is too long to be kept', async () => {
    const rules: NetworkRule[] = [{ url: '/api/big', response: { text: 'x' } }];
    const played = await shopping(rules, moves(get('/api/big'), click('#send')));
    expect(await gradeOf(played, rules)).toMatchObject({
      verdict: 'error',
      reasoning: expect.stringContaining('at most 262144 are kept'),
    });
  });

  test('an attempt that was made without the rules: its evidence tells addresses, and no contents', async () => {
    const played = await shopping([], moves(click('#send')));
    expect([...played.of('request'), ...played.of('requests')]).toEqual([]);
    expect(await gradeOf(played, [CONTACT])).toMatchObject({ verdict: 'skipped' });
    expect(await gradeOf(played, [{ url: '/contact', method: 'POST', status: 302 }])).toMatchObject({
      verdict: 'pass',
    });
    expect(await gradeOf(played, [NO_BUY])).toMatchObject({ verdict: 'pass' });
  });
});

test('secrets that were sent stand in the journal by their names', async () => {
  const rules: NetworkRule[] = [
    { url: '/api/notes', method: 'POST', status: 201, body: { password: '{{secret:SHOP_PASSWORD}}' } },
  ];
  const graders = [{ grader: 'network' as const, expect: rules }];
  const input = task(lab, `${shop.origin}/`, { graders, secrets: ['SHOP_PASSWORD'] });
  const agent = moves(post('/api/notes', { password: '{{secret:SHOP_PASSWORD}}' }), click('#send'));
  const played = await play(lab, input, agent, { secrets: { SHOP_PASSWORD: 'hunter2-hunter2' } });
  expect(JSON.stringify(played.events)).not.toContain('hunter2');
  expect((await gradeOf(played, rules)).verdict).toBe('pass');
});
