/** Contracts that read controls, exact texts, long texts, the page's script and pages opened at the end, on a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Contract, evaluateFacts, explain, factsNeeded } from '../../src/contracts/index.ts';
import { factsFrom } from '../../src/episode/look-facts.ts';
import { rescoreEvents } from '../../src/events/index.ts';
import { openShop, type SmallShop } from '../graders/small-shop.ts';
import { evaluate, type Lab, openLab, type Shown, show } from '../support/lab.ts';
import { click, moves, type Played, type PlayOptions, play, read, task } from '../support/stage.ts';

let lab: Lab;
let shop: SmallShop;
beforeAll(async () => {
  [lab, shop] = await Promise.all([openLab({ slots: 1 }), openShop()]);
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

async function verdictOn(slot: Shown, contract: Contract, timeoutMs: number): Promise<string> {
  const { witness } = slot;
  const needed = factsNeeded(contract);
  const { domText, domValue, domCount } = needed;
  const seen = await witness.observe({ domText, domValue, domCount, timeoutMs });
  const facts = factsFrom(seen, witness, needed, { contractEnter: 0, lastToolCall: 0 });
  const scripts = needed.script.length > 0 ? await witness.scripts(needed.script, { timeoutMs }) : {};
  return evaluateFacts(contract, { ...facts, ...scripts }).verdict;
}

/** Long enough for a busy machine. */
async function verdicts(slot: Shown, contracts: Contract[], timeoutMs = 30_000): Promise<string[]> {
  const found: string[] = [];
  for (const contract of contracts) found.push(await verdictOn(slot, contract, timeoutMs));
  return found;
}

const value = (selector: string, asked: object): Contract => ({ kind: 'dom_value', selector, ...asked }) as Contract;
const script = (expression: string, asked: object): Contract =>
  ({ kind: 'script', expression, forgeable: true, ...asked }) as Contract;

describe('what a contract sees of a page', () => {
  test('the live state of controls, whatever the attributes say and whatever a form field is called', async () => {
    await using slot = await lab.slot();
    await show(slot, `${lab.server.origin}/small`);
    await evaluate(
      slot,
      `document.body.innerHTML = \`<form id="clobbered"><input name="children"><input name="getAttribute"><input name="localName"></form>
        <input id="name" value="before"><input id="terms" type="checkbox"><textarea id="long"></textarea><meter id="share" value="0.25"></meter>
        <select id="size"><option value="s">Small</option><option value="l"> Very   large </option></select>
        <select id="many" multiple><option>A</option><option>B</option><option>C</option></select>
        <div id="box" role="switch" aria-checked="true">On</div><p id="text">  Two
          words </p>\`;
      const get = (id) => document.getElementById(id);
      get('name').value = 'after'; get('terms').checked = true; get('size').selectedIndex = 1; get('long').value = 'x'.repeat(300000) + 'end';
      get('many').options[0].selected = get('many').options[2].selected = true; window.game = { score: 120, deep: { list: [1, 'b'] } }`,
    );
    const hold = [
      value('#name', { equals: 'after' }),
      value('#name', { pattern: '^aft' }),
      value('#terms', { checked: true }),
      value('#box', { checked: true }),
      value('#size', { equals: 'l' }),
      value('#size', { selected: 'Very large' }),
      value('#size option:nth-of-type(2)', { selected: true }),
      value('#many', { selected: ['C', 'A'] }),
      value('#share', { op: 'eq', value: 0.3, tolerance: 0.05 }),
      value('#long', { pattern: 'xend$' }),
      { kind: 'dom_text', selector: '#text', equals: 'Two words' },
      { kind: 'dom_text', selector: '#text', pattern: '^Two w' },
      script('game.score', { op: 'gte', value: 100 }),
      script('game.deep', { equals: { list: [1, 'b'] } }),
      script('window.nothing', { equals: null }),
    ] satisfies Contract[];
    expect(await verdicts(slot, hold)).toEqual(hold.map(() => 'pass'));
    const fail = [
      value('#name', { equals: 'before' }),
      value('#long', { equals: 'x' }),
      value('#many', { selected: ['A'] }),
      value('#box', { equals: 'On' }),
      value('#nowhere', { checked: false }),
      { kind: 'dom_text', selector: '#text', equals: 'Two' },
      script('game.score', { equals: '120' }),
    ] satisfies Contract[];
    expect(await verdicts(slot, fail)).toEqual(fail.map(() => 'fail'));
    const unknown = [
      script('nothing.score', { equals: 1 }),
      script('for (;;);', { equals: 1 }),
      script('"x".repeat(5000)', { pattern: 'x' }),
    ];
    expect(await verdicts(slot, unknown, 500)).toEqual(unknown.map(() => 'inconclusive'));
  });

  test('the end of a text of more than 262,144 characters, by each comparison', async () => {
    await using slot = await lab.slot();
    await show(slot, `${lab.server.origin}/small`);
    const text = (asked: object): Contract => ({ kind: 'dom_text', selector: '#long', ...asked }) as Contract;
    await evaluate(
      slot,
      `document.body.innerHTML = '<p id="long" hidden></p>'; document.getElementById('long').textContent = 'word '.repeat(100000) + 'Thank you'`,
    );
    expect(
      await verdicts(slot, [
        text({ contains: 'Thank you' }),
        text({ contains: 'Thank them' }),
        text({ equals: 'word' }),
        text({ pattern: 'Thank you$' }),
        { kind: 'not', child: text({ contains: 'Thank you' }) },
      ]),
    ).toEqual(['pass', 'fail', 'fail', 'pass', 'fail']);
    // 2,500,009 characters: only a pattern has a limit.
    await evaluate(slot, `document.getElementById('long').textContent = 'word '.repeat(500000) + 'Thank you'`);
    expect(await verdicts(slot, [text({ contains: 'Thank you' }), text({ pattern: 'Thank you$' })])).toEqual([
      'pass',
      'inconclusive',
    ]);
  });
});

/** The journal alone gives the same verdicts. */
function verified(played: Played): Played {
  expect(rescoreEvents(played.events).differences).toEqual([]);
  return played;
}

describe('a page that is opened at the end', () => {
  const done = (...list: Parameters<typeof moves>) => moves(...list, { done: true });
  const opened = async (success: Contract, ...list: Parameters<typeof moves>) =>
    verified(await play(lab, task(lab, `${shop.origin}/`, { success }), done(...list)));
  const CART: Contract = {
    kind: 'and',
    children: [
      { kind: 'dom_text', page_url: '/finish', selector: 'pre', pattern: '(?i)green tea' },
      script("document.querySelector('pre').textContent", { page_url: '/finish', pattern: '(?i)green tea' }),
    ],
  };

  test('shows what the agent left in the session, and ends nothing early', async () => {
    const right = await opened(CART, click('#buy'), read);
    expect([right.stop.status, right.stop.claimed, right.result.steps]).toEqual(['passed', 'done', 2]);
    const looks = right.of('contract_eval').map(({ phase, verdict }) => `${phase} ${verdict}`);
    expect(looks).toEqual(['start inconclusive', 'step inconclusive', 'step inconclusive', 'final pass']);
    // It is no part of the evidence: neither a request nor a tab of the attempt.
    const urls = right.of('evidence').flatMap(({ network = [], tabs }) => [...network, ...tabs].map(({ url }) => url));
    expect(urls.filter((url) => url.includes('/finish'))).toEqual([]);
    const wrong = await opened(CART, read);
    expect([wrong.stop.status, wrong.result.outcome]).toEqual(['failed', 'failed']);
    expect(wrong.of('contract_eval').at(-1)?.evidence).toMatchObject({
      details: { children: [{ verdict: 'fail' }, { assertion_kind: 'script', verdict: 'fail' }] },
    });
  });

  test('that is an error page is read; one that cannot be opened is not the agent’s failure', async () => {
    const missing = await opened({ kind: 'dom_text', page_url: '/api/missing', contains: 'There is none.' }, read);
    expect(missing.result.outcome).toBe('passed');
    const broken = await opened({ kind: 'dom_text', page_url: '/state-broken', contains: 'orders' }, read);
    expect([broken.result.outcome, broken.stop.cause]).toEqual(['env_error', 'browser']);
    expect(broken.stop.reason).toContain('/state-broken was answered with the status 500.');
  });
});

describe('a contract that holds at the start', () => {
  const HELD = { kind: 'dom_text', selector: 'h1', equals: 'Shop' } as const;
  const held = async (options: PlayOptions = {}, success: Contract = HELD) =>
    verified(await play(lab, task(lab, `${shop.origin}/`, { success }), moves(read), options));

  test('is a warning and a mark, and the attempt goes on', async () => {
    const { result, of } = await held();
    expect([result.outcome, result.held_at_start, result.steps]).toEqual(['passed', true, 1]);
    expect(of('warning').map(({ source, message }) => `${source}: ${message}`)).toEqual([
      expect.stringMatching(/^held_at_start: The contract held at the start/),
    ]);
    const other = await held({}, { kind: 'dom_text', selector: 'h1', equals: 'Thanks' });
    expect([other.result.held_at_start, other.of('warning')]).toEqual([undefined, []]);
  });

  test('is an env_error in a browser that the harness does not reset', async () => {
    const { result, stop } = await held({ change: (server) => ({ ...server, isolation: 'server' }) });
    expect([result.outcome, result.held_at_start, result.steps]).toEqual(['env_error', true, 0]);
    expect(stop.reason).toMatch(/^The contract held at the start/);
  });

  test('of a script is marked as forgeable', async () => {
    const success: Contract = script('document.title', { equals: 'Shop' });
    const { result, of } = await held({}, success);
    expect([result.outcome, result.forgeable]).toEqual(['passed', true]);
    const evidence = of('contract_eval').at(-1)?.evidence;
    expect(evidence && explain(evidence)).toEqual([
      'Passed: the expression "document.title" has the value "Shop" (forgeable by an agent that may run code in the page). Observed: its value is "Shop".',
    ]);
  });
});
