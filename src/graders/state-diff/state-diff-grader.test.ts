import { describe, expect, test } from 'vitest';
import { parseTask, sha256Hex } from '../../cases/index.ts';
import type { StateDiffSpec } from '../../cases/schemas.ts';
import type { EventOf, JournalEvent } from '../../events/index.ts';
import { stateDiffGrader } from './state-diff-grader.ts';

type Criteria = StateDiffSpec['criteria'];
type States = { before?: unknown; after?: unknown };

const stateEvent = (phase: 'before' | 'after', rest: Partial<EventOf<'app_state'>>) =>
  ({
    type: 'app_state',
    seq: 0,
    time: 0,
    phase,
    stateUrl: '/finish',
    url: 'http://shop.test/finish',
    ...rest,
  }) as JournalEvent;

async function grade(spec: Partial<StateDiffSpec> & { criteria: Criteria }, states: States, given?: JournalEvent[]) {
  const parsed = parseTask({
    id: 'a',
    title: 'a',
    startUrl: 'http://shop.test/',
    goal: 'a',
    success: { kind: 'no_dialog' },
    graders: [{ grader: 'state-diff', stateUrl: '/finish', ...spec }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const files = new Map(
    Object.entries(states).map(([phase, state]) => [`state/${phase}-1.json`, JSON.stringify(state)]),
  );
  const events =
    given ??
    (['before', 'after'] as const)
      .filter((phase) => phase in states)
      .map((phase) =>
        stateEvent(phase, { file: `state/${phase}-1.json`, hash: sha256Hex(JSON.stringify(states[phase])) }),
      );
  const attempt = {
    ref: { runId: 'r', caseId: 'a', trial: 1, attempt: 1 },
    subject: { kind: 'task' as const, task: parsed.task },
    answer: null,
    events,
    artifact: async (key: string) => {
      const text = files.get(key);
      return text === undefined ? undefined : Buffer.from(text);
    },
  };
  const context = { signal: new AbortController().signal, judge: undefined, keep: () => {} };
  return stateDiffGrader({ grader: 'state-diff', stateUrl: '/finish', ...spec }).grade(attempt, context);
}

const order = (...cartItems: unknown[]) => ({
  differences: {
    foodOrders: { added: { '0': { cartItems, checkoutDetails: { shipping: { deliveryOption: 'Standard' } } } } },
  },
});
const item = (restaurantName: string, name: string, size: string, quantity = 1) => ({
  restaurantName,
  name,
  size,
  quantity,
});
const at = (place: string, expected: Criteria[number]['expected']) => ({
  query: `differences.foodOrders.added."0".${place}`,
  expected,
});

/** The queries of tasks of REAL (AGI SDK, v1), on states of our own. */
describe('rows of REAL', () => {
  const rows: [string, Criteria, unknown, unknown][] = [
    [
      'dashdish-11',
      [
        at('cartItems[0].restaurantName', 'Mashaallah Halal Food Pakistani Food'),
        at('cartItems[0].name', 'Chicken Biryani'),
        at('cartItems[0].size', 'Medium'),
      ],
      order(item('Mashaallah Halal Food Pakistani Food', 'Chicken Biryani', 'Medium')),
      order(item('Mashaallah Halal Food Pakistani Food', 'Chicken Biryani', 'Large')),
    ],
    [
      'dashdish-10',
      [
        at('cartItems[0].restaurantName', 'Souvla'),
        at('cartItems[0].name', 'Classic Cheeseburger'),
        at('cartItems[0].size', 'Medium'),
        at('cartItems[1].restaurantName', 'Souvla'),
        at('cartItems[1].name', 'Bacon Double Cheeseburger'),
        at('cartItems[1].size', 'Small'),
        at('checkoutDetails.shipping.deliveryOption', 'Standard'),
      ],
      order(item('Souvla', 'Classic Cheeseburger', 'Medium'), item('Souvla', 'Bacon Double Cheeseburger', 'Small')),
      order(item('Souvla', 'Classic Cheeseburger', 'Medium')),
    ],
    [
      'dashdish-2',
      [
        at('cartItems[0].restaurantName', 'Papa Johns Pizza'),
        at('cartItems[0].name', 'Pepperoni Pizza'),
        at('cartItems[0].size', 'Medium'),
        at('cartItems[0].quantity', 1),
      ],
      order(item('Papa Johns Pizza', 'Pepperoni Pizza', 'Medium')),
      order(item('Papa Johns Pizza', 'Pepperoni Pizza', 'Medium', 2)),
    ],
  ];

  test.each(rows)('%s: a right state passes, a wrong one and an empty one fail', async (_, criteria, right, wrong) => {
    expect((await grade({ criteria }, { after: right })).verdict).toBe('pass');
    expect((await grade({ criteria }, { after: wrong })).verdict).toBe('fail');
    expect((await grade({ criteria }, { after: {} })).verdict).toBe('fail');
  });
});

describe('criteria', () => {
  test.each<[string, string, Criteria[number]['expected'], unknown, 'pass' | 'fail']>([
    ['a number is not a text', 'n', 1, { n: '1' }, 'fail'],
    ['a list, in order', 'l', [1, { a: null }], { l: [1, { a: null }] }, 'pass'],
    ['a list in another order', 'l', [1, 2], { l: [2, 1] }, 'fail'],
    ['nothing there', 'a.b', null, {}, 'pass'],
    ['a function', 'length(items)', 2, { items: ['x', 'y'] }, 'pass'],
    ['a function on nothing', 'length(items)', 0, {}, 'fail'],
    ['a filter', 'items[?done].name | [0]', 'tea', { items: [{ name: 'milk' }, { name: 'tea', done: true }] }, 'pass'],
  ])('%s', async (_, query, expected, after, verdict) => {
    expect((await grade({ criteria: [{ query, expected }] }, { after })).verdict).toBe(verdict);
  });

  test('a text that contains the expected one is counted apart, and passes only where that is asked for', async () => {
    const criteria = [
      { query: 'name', expected: 'green tea', description: 'the right tea' },
      { query: 'count', expected: 2 },
    ];
    const after = { name: 'Organic Green Tea, 20 bags', count: 2 };
    expect(await grade({ criteria }, { after })).toMatchObject({
      verdict: 'fail',
      reasoning:
        '1 of 2 criteria hold strictly, without 1 only softened. the right tea (name) is "Organic Green Tea, 20 bags", not "green tea".',
      details: { criteria: 2, strict: 1, softened: 1, none: 0 },
    });
    expect(await grade({ criteria, softened: true }, { after })).toMatchObject({
      verdict: 'pass',
      reasoning: '1 of 2 criteria hold strictly, and 1 only softened.',
      details: { strict: 1, softened: 1, none: 0 },
    });
    expect((await grade({ criteria, softened: true }, { after: { ...after, count: 3 } })).verdict).toBe('fail');
  });

  test('with the state before, queries are on both', async () => {
    const criteria = [{ query: 'after.total == before.total', expected: false }];
    expect((await grade({ criteria, before: true }, { before: { total: 1 }, after: { total: 2 } })).verdict).toBe(
      'pass',
    );
    expect((await grade({ criteria, before: true }, { before: { total: 2 }, after: { total: 2 } })).verdict).toBe(
      'fail',
    );
  });

  test.each([
    ['a[', /has the query a\[, which cannot be used: /],
    ['a[?frobnicate(b)]', /there is no function frobnicate\(\)/],
  ])('the query %s is refused when the grader is made', (query, problem) => {
    expect(() =>
      stateDiffGrader({ grader: 'state-diff', stateUrl: '/finish', criteria: [{ query, expected: 1 }] }),
    ).toThrow(problem);
  });
});

test.each([
  ['too many arguments', 'length(a, b)', /length\(\) takes 1 argument but received 2/],
  ['a slice with the step 0', 'a[::0]', /step cannot be 0/],
])('a query that no state can satisfy, %s, is no failure of the agent', async (_, query, problem) => {
  await expect(grade({ criteria: [{ query, expected: 1 }] }, { after: { a: [1] } })).rejects.toThrow(problem);
});

describe('a state that is not there is never a failure of the agent', () => {
  const criteria = [{ query: 'a', expected: 1 }];

  test.each<[string, States, JournalEvent[] | undefined, string, RegExp]>([
    [
      'the page could not be read',
      {},
      [stateEvent('after', { reason: 'It was answered with the status 500.' })],
      'error',
      /status 500/,
    ],
    ['the file is gone', {}, [stateEvent('after', { file: 'state/after-1.json', hash: 'x' })], 'error', /is missing/],
    [
      'the file is another',
      { after: { a: 1 } },
      [stateEvent('after', { file: 'state/after-1.json', hash: 'x' })],
      'error',
      /hash is another/,
    ],
    ['nothing was read', {}, [], 'skipped', /without reading the state after it at \/finish/],
  ])('%s', async (_, states, events, verdict, reason) => {
    const said = await grade({ criteria }, states, events);
    expect([said.verdict, said.reasoning]).toEqual([verdict, expect.stringMatching(reason)]);
  });

  test('the state before is missing', async () => {
    expect((await grade({ criteria, before: true }, { after: { a: 1 } })).verdict).toBe('skipped');
  });
});

test('the state is on the web, and never on the disk', () => {
  const task = { id: 'a', title: 'a', startUrl: 'about:blank', goal: 'a', success: { kind: 'no_dialog' } };
  const graders = [{ grader: 'state-diff', stateUrl: 'file:///etc/passwd', criteria: [{ query: 'a', expected: 1 }] }];
  expect(parseTask({ ...task, graders })).toMatchObject({
    ok: false,
    problems: [{ path: '$.graders.0.stateUrl', message: expect.stringContaining('must be the address of a web page') }],
  });
});
