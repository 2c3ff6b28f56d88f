import { describe, expect, test } from 'vitest';
import { type NetworkRule, parseTask } from '../../cases/index.ts';
import type { EventOf, JournalEvent } from '../../events/index.ts';
import type { Assessment } from '../grader.ts';
import { ruleHash } from './journal-requests.ts';
import { networkGrader } from './network-grader.ts';
import type { SeenRequest } from './rule-result.ts';

const HOST = 'http://shop.test';
type Given = Partial<SeenRequest> & { url: string };

/** The journal of an attempt that has recorded these requests for these rules. */
function journal(given: readonly Given[], rules: readonly NetworkRule[], end: Partial<EventOf<'requests'>> = {}) {
  const requests = given.map(({ url, ...rest }, index) => {
    const sent = { number: index + 1, at: index, method: 'GET', status: 200, ...rest };
    return { type: 'request', seq: index, time: index, ...sent, url: HOST + url };
  });
  const counts = { seen: given.length, recorded: given.length };
  const last = { type: 'requests', seq: 99, time: 99, rules: rules.map(ruleHash), ...counts, ...end };
  // As they end: not as they were sent.
  return [...requests.toReversed(), last] as JournalEvent[];
}

async function grade(rules: readonly NetworkRule[], events: readonly JournalEvent[]): Promise<Assessment> {
  const parsed = parseTask({
    id: 'a',
    title: 'a',
    startUrl: `${HOST}/`,
    goal: 'a',
    success: { kind: 'no_dialog' },
    graders: [{ grader: 'network', expect: rules }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const ref = { runId: 'r', caseId: 'a', trial: 1, attempt: 1 };
  const reader = { ref, subject: { kind: 'task' as const, task: parsed.task }, answer: null, events };
  const context = { signal: new AbortController().signal, judge: undefined, keep: () => {} };
  return networkGrader({ grader: 'network', expect: [...rules] }).grade(
    { ...reader, artifact: async () => undefined },
    context,
  );
}

const verdictOf = async (rule: NetworkRule, requests: readonly Given[]) =>
  (await grade([rule], journal(requests, [rule]))).verdict;

const form = (text: string) => ({ body: { mediaType: 'application/x-www-form-urlencoded', text } });
const json = (value: unknown) => ({ mediaType: 'application/json', text: JSON.stringify(value) });

describe('a rule on requests', () => {
  test.each<[string, NetworkRule, Given[], 'pass' | 'fail']>([
    ['an address, without case and slash', { url: `${HOST}/Orders` }, [{ url: '/orders/' }], 'pass'],
    ['another address', { url: `${HOST}/orders` }, [{ url: '/order' }], 'fail'],
    ['an address relative to the start page', { url: '/orders' }, [{ url: '/orders' }], 'pass'],
    ['one of two addresses', { url: ['/a', '/b'] }, [{ url: '/b' }], 'pass'],
    ['a pattern', { url: '^http://shop\\.test/o/\\d+$' }, [{ url: '/o/12' }], 'pass'],
    ['a pattern is on the whole address', { url: '^http://shop\\.test/o/\\d+$' }, [{ url: '/o/12/edit' }], 'fail'],
    ['a pattern does not mean files of a page', { url: '^http://shop\\.test/.*$' }, [{ url: '/a.css' }], 'fail'],
    ['an address written out does', { url: '/a.css' }, [{ url: '/a.css' }], 'pass'],
    ['GET is meant where no method is named', { url: '/a' }, [{ url: '/a', method: 'POST' }], 'fail'],
    ['200 where no status is named', { url: '/a' }, [{ url: '/a', status: 404 }], 'fail'],
    ['a status', { url: '/a', status: 302 }, [{ url: '/a', status: 302 }], 'pass'],
    [
      'a request that failed',
      { url: '/a', status: 'none' },
      [{ url: '/a', status: undefined, failed: 'net::ERR_FAILED' } as Given],
      'pass',
    ],
    ['a response where there should be none', { url: '/a', status: 'none' }, [{ url: '/a' }], 'fail'],
    ['a query in the address', { url: '/a?x=1&y=2' }, [{ url: '/a?y=2&x=1' }], 'pass'],
    ['one parameter more', { url: '/a?x=1' }, [{ url: '/a?x=1&y=2' }], 'fail'],
    ['one parameter more that is ignored', { url: '/a?x=1', ignoredQuery: ['y'] }, [{ url: '/a?x=1&y=2' }], 'pass'],
    ['one that a pattern ignores', { url: '/a', ignoredQueryPatterns: ['^(?!x$).+$'] }, [{ url: '/a?page=2' }], 'pass'],
    ['one that the pattern does not', { url: '/a', ignoredQueryPatterns: ['^(?!x$).+$'] }, [{ url: '/a?x=2' }], 'fail'],
    ['an empty parameter is none', { url: '/a' }, [{ url: '/a?x=' }], 'pass'],
    ['a query of its own', { url: '/a', query: { l: ['b', 'a'] } }, [{ url: '/a?l=a&l=B' }], 'pass'],
    ['a pattern that may be empty', { url: '/a', query: { s: '^(open|)$' } }, [{ url: '/a' }], 'pass'],
    [
      'a date',
      { url: '/a', query: { d: ['02/1/2023'] }, queryFormats: { d: 'date' } },
      [{ url: '/a?d=02%2F01%2F2023' }],
      'pass',
    ],
    [
      'a query in the path',
      { url: '/r/filter', query: { from: '1' }, decodeBase64Query: true },
      [{ url: `/r/filter/${btoa('from=1')}/` }],
      'pass',
    ],
    ['only the last one counts', { url: '/a?x=1' }, [{ url: '/a?x=1' }, { url: '/a?x=2' }], 'fail'],
    ['any one', { url: '/a?x=1', lastEventOnly: false }, [{ url: '/a?x=1' }, { url: '/a?x=2' }], 'pass'],
    ['the last of this method', { url: '/a' }, [{ url: '/a' }, { url: '/a', method: 'POST', status: 500 }], 'pass'],
    [
      'a form',
      { url: '/a', method: 'POST', body: { 'c[text]': 'I am a robot' } },
      [{ url: '/a', method: 'POST', ...form('c%5Btext%5D=I+am+a+robot%21') }],
      'pass',
    ],
    [
      'another text in a form',
      { url: '/a', method: 'POST', body: { t: 'yes' } },
      [{ url: '/a', method: 'POST', ...form('t=no') }],
      'fail',
    ],
    [
      'a field that must not be there',
      { url: '/a', method: 'POST', body: { qty: null } },
      [{ url: '/a', method: 'POST', ...form('qty=1') }],
      'fail',
    ],
    [
      'JSON by path',
      { url: '/a', method: 'POST', body: { '$.note.text': 'Thanks' } },
      [{ url: '/a', method: 'POST', body: json({ note: { text: 'Thanks' } }) }],
      'pass',
    ],
    [
      'JSON in a field of a form',
      { url: '/a', method: 'POST', body: { '$.m[?(@.isNew == 1)].size': ['s', 'm'] } },
      [
        {
          url: '/a',
          method: 'POST',
          ...form(`m=${encodeURIComponent('[{"isNew":1,"size":"M"},{"isNew":0},{"isNew":1,"size":"S"}]')}`),
        },
      ],
      'pass',
    ],
    [
      'one match of a filter is a list too',
      { url: '/a', method: 'POST', body: { '$.m[?(@.n == 1)].s': ['s'] } },
      [{ url: '/a', method: 'POST', body: json({ m: [{ n: 1, s: 's' }] }) }],
      'pass',
    ],
    [
      'a pattern over names',
      { url: '/a', method: 'POST', body: { '$.^file_(path|name)$': 'LICENSE' } },
      [{ url: '/a', method: 'POST', ...form('file_name=LICENSE') }],
      'pass',
    ],
    [
      'a pattern in a value',
      { url: '/a', method: 'POST', body: { c: '^.*mit.*License.*$' } },
      [{ url: '/a', method: 'POST', ...form('c=The+MIT%0ALicense') }],
      'pass',
    ],
    [
      'a list in any order',
      { url: '/a', method: 'PUT', body: { ids: [1, 2] } },
      [{ url: '/a', method: 'PUT', body: json({ ids: [2, 1] }) }],
      'pass',
    ],
    [
      'a list with one more',
      { url: '/a', method: 'PUT', body: { ids: [1] } },
      [{ url: '/a', method: 'PUT', body: json({ ids: [1, 2] }) }],
      'fail',
    ],
    [
      'one of two values',
      { url: '/a', method: 'PUT', body: { u: { anyOf: ['x', 'y'] } } },
      [{ url: '/a', method: 'PUT', body: json({ u: 'y' }) }],
      'pass',
    ],
    [
      'another price',
      { url: '/a', method: 'PUT', body: { p: 12 }, bodyFormats: { p: 'currency' } },
      [{ url: '/a', method: 'PUT', body: json({ p: '$12.50' }) }],
      'fail',
    ],
    [
      'JSON in a text, whatever its order and spaces',
      { url: '/a', method: 'PUT', body: { j: '{"a":1,"b":[2]}' }, bodyFormats: { j: 'json' } },
      [{ url: '/a', method: 'PUT', body: json({ j: '{ "b": [2], "a": 1 }' }) }],
      'pass',
    ],
    [
      'Markdown, whatever its list signs and blank lines',
      { url: '/a', method: 'PUT', body: { m: '# Title\n\n- one\n- [two](http://x)' }, bodyFormats: { m: 'markdown' } },
      [{ url: '/a', method: 'PUT', body: json({ m: '#  Title\r\n\r\n\r\n* one\r\n* [two]( http://x )  ' }) }],
      'pass',
    ],
    [
      'a number, whatever its separators',
      { url: '/a', method: 'PUT', body: { n: 1200 }, bodyFormats: { n: 'number' } },
      [{ url: '/a', method: 'PUT', body: json({ n: '1,200.0' }) }],
      'pass',
    ],
    [
      'a price',
      { url: '/a', method: 'PUT', body: { p: 12 }, bodyFormats: { p: 'currency' } },
      [{ url: '/a', method: 'PUT', body: json({ p: '$12.00' }) }],
      'pass',
    ],
    [
      'a list in a text',
      { url: '/a', method: 'PUT', body: { l: 'a,b' }, bodyFormats: { l: 'list' } },
      [{ url: '/a', method: 'PUT', body: json({ l: 'b, a' }) }],
      'pass',
    ],
    [
      'a form with parts',
      { url: '/a', method: 'POST', body: { t: 'two words', f: 'x' } },
      [
        {
          url: '/a',
          method: 'POST',
          body: {
            mediaType: 'multipart/form-data; boundary=B',
            text: '--B\r\nContent-Disposition: form-data; name="t"\r\n\r\ntwo words\r\n--B\r\nContent-Disposition: form-data; name="f"; filename="n"\r\n\r\nx\r\n--B--\r\n',
          },
        },
      ],
      'pass',
    ],
    ['no data at all', { url: '/a', method: 'POST', body: { t: 'x' } }, [{ url: '/a', method: 'POST' }], 'fail'],
    [
      'an ignored field does not count',
      { url: '/a', method: 'POST', body: { k: null }, ignoredBodyPatterns: ['^k$'] },
      [{ url: '/a', method: 'POST', ...form('k=1&t=x') }],
      'pass',
    ],
    [
      'a response',
      { url: '/a', response: { n: 56, '$.items[0].name': 'Crumble' } },
      [{ url: '/a', response: json({ n: 56, items: [{ name: 'Crumble' }] }) }],
      'pass',
    ],
    ['another response', { url: '/a', response: { n: 56 } }, [{ url: '/a', response: json({ n: 55 }) }], 'fail'],
    [
      'a header',
      { url: '/a', headers: { 'X-Requested-With': 'XMLHttpRequest' } },
      [{ url: '/a', headers: { 'x-requested-with': 'XMLHttpRequest' } }],
      'pass',
    ],
    ['no such header', { url: '/a', headers: { 'x-a': 'b' } }, [{ url: '/a' }], 'fail'],
    [
      'a referer is an address',
      { url: '/a', headers: { referer: '/b?l=help wanted' } },
      [{ url: '/a', headers: { referer: `${HOST}/b/?l=help%20wanted` } }],
      'pass',
    ],
    [
      'from another page: not the one that is meant',
      { url: '/a', headers: { referer: '/b' } },
      [
        { url: '/a', headers: { referer: `${HOST}/b` } },
        { url: '/a', headers: { referer: `${HOST}/c` } },
      ],
      'pass',
    ],
    [
      'a cookie',
      { url: '/a', cookies: { m: '^.*added to your list.*$' } },
      [{ url: '/a', cookies: { m: '%5B%22Tea%20was%20added%20to%20your%20list%22%5D' } }],
      'pass',
    ],
    ['another cookie', { url: '/a', cookies: { m: 'x' } }, [{ url: '/a', cookies: { n: 'x' } }], 'fail'],
    [
      'the last page',
      { url: '/b', lastNavigation: true },
      [{ url: '/a', navigation: true }, { url: '/b', navigation: true }, { url: '/b/data' }],
      'pass',
    ],
    [
      'not the last page',
      { url: '/a', lastNavigation: true },
      [
        { url: '/a', navigation: true },
        { url: '/b', navigation: true },
      ],
      'fail',
    ],
    [
      'a request that should not be',
      { url: '/a', method: 'POST', shouldNotExist: true },
      [{ url: '/a?x', method: 'POST', status: 500 }],
      'fail',
    ],
    ['and is not', { url: '/a', method: 'POST', shouldNotExist: true }, [{ url: '/a' }], 'pass'],
  ])('%s', async (_, rule, requests, verdict) => {
    expect(await verdictOf(rule, requests)).toBe(verdict);
  });

  test('names what differs, of the nearest request', async () => {
    const rules = [{ url: '/a' }, { url: '/b', method: 'POST', body: { n: 1 }, lastEventOnly: false }];
    const wrong = { method: 'POST', status: 422, body: json({ n: 2 }) };
    const requests = [{ url: '/a' }, { url: '/b', ...wrong, status: 200 }, { url: '/b', ...wrong }];
    const { reasoning, details } = await grade(rules, journal(requests, rules));
    expect(reasoning).toBe(
      'Rule 2 of 2 (POST /b) does not hold: of POST http://shop.test/b (200), body.n is 2, not 1.',
    );
    expect(details).toEqual({
      rules: [
        { rule: 'GET /a', holds: true, request: 'GET http://shop.test/a (200)' },
        {
          rule: 'POST /b',
          holds: false,
          nearest: 'POST http://shop.test/b (200)',
          mismatches: [{ what: 'body.n', expected: '1', actual: '2' }],
        },
      ],
    });
  });

  test('names the request whose address is most like it, where there is none', async () => {
    const rule = { url: '/orders/new' };
    const events = [evidence([{ url: '/' }, { url: '/orders' }]), ...journal([], [rule])];
    expect((await grade([rule], events)).reasoning).toBe(
      'The rule (GET /orders/new) does not hold: there was no such request; the nearest is GET http://shop.test/orders (200).',
    );
  });
});

describe('what the journal does not tell', () => {
  const rule: NetworkRule = { url: '/a', response: { n: 1 } };

  test.each<[string, Given, RegExp]>([
    ['a request that had not ended', { url: '/a', open: true, status: undefined } as unknown as Given, /is not known/],
    ['a response that could not be read', { url: '/a', response: { problem: 'It was gone.' } }, /It was gone/],
  ])('%s is an error, not a failure', async (_, request, reason) => {
    const { verdict, reasoning } = await grade([rule], journal([request], [rule]));
    expect([verdict, reasoning]).toEqual(['error', expect.stringMatching(reason)]);
  });

  test('a request that had not ended, with other data than expected, is a failure', async () => {
    const post: NetworkRule = { url: '/a', method: 'POST', body: { n: 1 } };
    const request = { url: '/a', method: 'POST', open: true as const, body: json({ n: 2 }) };
    expect(await verdictOf(post, [request])).toBe('fail');
  });

  test('a list that is not whole settles only what one request settles', async () => {
    const last = { url: '/a' };
    const any = { url: '/a', lastEventOnly: false };
    const verdict = async (one: NetworkRule, end: Partial<EventOf<'requests'>>) =>
      (await grade([one], journal([{ url: '/a' }], [one], end))).verdict;
    expect(await verdict(last, { dropped: 3 })).toBe('error');
    expect(await verdict(any, { dropped: 3 })).toBe('pass');
    expect(await verdict(last, { incomplete: 'The browser ended.' })).toBe('error');
  });

  test('a body that the journal cut is an error', async () => {
    const post: NetworkRule = { url: '/a', method: 'POST', body: { n: 1 } };
    const [request, end] = journal([{ url: '/a', method: 'POST', body: json({ n: 1 }) }], [post]);
    const cut = { ...request, cut: { bytes: 2_000_000, fields: ['body'] } } as JournalEvent;
    expect((await grade([post], [cut, end as JournalEvent])).verdict).toBe('error');
  });

  test('an attempt that was made without the rule is judged by its evidence, where that is enough', async () => {
    const plain = { url: '/a?x=1' };
    const verdict = async (one: NetworkRule, event: JournalEvent) => (await grade([one], [event])).verdict;
    expect(await verdict(plain, evidence([{ url: '/a?x=1' }]))).toBe('pass');
    expect(await verdict(plain, evidence([{ url: '/a?x=2' }]))).toBe('fail');
    expect(await verdict(plain, evidence([{ url: '/a?x=1' }], 1))).toBe('error');
    expect(await verdict(rule, evidence([{ url: '/a' }]))).toBe('skipped');
    expect(await verdict({ url: '/a', lastNavigation: true }, evidence([{ url: '/a' }]))).toBe('skipped');
  });

  test('a request that was listed before its answer came counts once, with its answer', async () => {
    const before = evidence([{ url: '/a' }]) as EventOf<'evidence'>;
    const waiting = before.network?.map(({ status: _, ...rest }) => rest) ?? [];
    const events: JournalEvent[] = [{ ...before, network: waiting }, before];
    expect((await grade([{ url: '/a' }], events)).verdict).toBe('pass');
    expect((await grade([{ url: '/a' }], events.slice(0, 1))).verdict).toBe('error');
  });

  test('a trace from elsewhere is skipped', async () => {
    expect(await grade([rule], [])).toMatchObject({
      verdict: 'skipped',
      reasoning: expect.stringContaining('made elsewhere'),
    });
  });
});

test('a rule is broken where a pattern cannot be tried on so long a text, and that is no failure of the agent', async () => {
  const rule: NetworkRule = { url: '/a', method: 'POST', body: { t: '^.*(?=b)b$' } };
  const request = { url: '/a', method: 'POST', ...form(`t=${'a'.repeat(3_000)}`) };
  expect(await verdictOf(rule, [request])).toBe('error');
});

test('a path that cannot be read is refused when the grader is made', () => {
  expect(() => networkGrader({ grader: 'network', expect: [{ url: '/a', body: { '$.a[': 1 } }] })).toThrow(
    /names the field \$\.a\[, which cannot be used: /,
  );
});

function evidence(requests: readonly { url: string }[], dropped = 0): JournalEvent {
  const network = requests.map(({ url }, index) => ({
    id: String(index),
    at: index,
    method: 'GET',
    url: HOST + url,
    status: 200,
    type: 'Document',
    marker: 0,
  }));
  return {
    type: 'evidence',
    seq: 0,
    time: 0,
    network,
    ...(dropped > 0 ? { dropped: { network: dropped } } : {}),
  } as unknown as JournalEvent;
}

test('many rules with many long differences still give details that a grade can hold', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `field-${index}-${'n'.repeat(50)}`);
  const rules = Array.from(
    { length: 50 },
    (_, index): NetworkRule => ({
      url: [`/a`, `/b${index}-${'u'.repeat(3_000)}`],
      method: 'POST',
      body: Object.fromEntries(names.map((name) => [name, 'x'.repeat(1_000)])),
    }),
  );
  const body = json(Object.fromEntries(names.map((name) => [name, 'y'.repeat(1_000)])));
  const { verdict, details } = await grade(rules, journal([{ url: '/a', method: 'POST', body }], rules));
  expect(verdict).toBe('fail');
  expect(JSON.stringify(details).length).toBeLessThan(200_000);
});
