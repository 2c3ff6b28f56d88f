/** Which steps reach a target that the contract names. */
import { expect, it } from 'vitest';
import { type Contract, evaluateFacts, type Facts } from '../contracts/index.ts';
import type { NewEvent } from './events.ts';
import { Targets } from './targets.ts';

const cart: Contract = { kind: 'dom_text', selector: 'h1', contains: 'Cart' };
const sent: Contract = {
  kind: 'network',
  url_pattern: '/orders$',
  status_in: [201],
  since: 'contract_enter',
};
const nowhere: Facts = { domText: { h1: 'Shop' }, network: [], markers: { contract_enter: 0 } };
const inCart: Facts = { ...nowhere, domText: { h1: 'Cart' } };
const ordered: Facts = { ...nowhere, network: [{ url: 'http://shop.test/orders', status: 201, ts: 1 }] };

interface Look {
  facts: Facts;
  lane?: string;
  phase?: 'start' | 'step' | 'final';
}

/** The hints of each look. */
function hints(contract: Contract, looks: Look[], task: unknown = {}): unknown[] {
  const targets = new Targets(task);
  return looks.map(({ facts, lane, phase = 'step' }) => {
    const evidence = evaluateFacts(contract, facts);
    const event: NewEvent<'contract_eval'> = { type: 'contract_eval', phase, verdict: evidence.verdict, evidence };
    return targets.onVerdict({ ...event, ...(lane === undefined ? {} : { executorId: lane }) });
  });
}

it('a leaf about the page is reached by the step that makes it hold, and once', () => {
  const looks: Look[] = [{ facts: nowhere, phase: 'start' }, { facts: nowhere }, { facts: inCart }, { facts: inCart }];
  expect(hints(cart, looks)).toEqual([{}, {}, { domReached: true }, { alreadyReached: true }]);
});

it('a control is a target, and a value of the page’s script is none', () => {
  const before: Facts = { domValue: { '#qty': { value: '1' } }, script: { score: 0 } };
  const after: Facts = { domValue: { '#qty': { value: '2' } }, script: { score: 9 } };
  const looks: Look[] = [{ facts: before, phase: 'start' }, { facts: after }];
  expect(hints({ kind: 'dom_value', selector: '#qty', equals: '2' }, looks)).toEqual([{}, { domReached: true }]);
  expect(hints({ kind: 'script', expression: 'score', equals: 9, forgeable: true }, looks)).toEqual([{}, {}]);
});

it('what held at the start was reached by no step', () => {
  expect(hints(cart, [{ facts: inCart, phase: 'start' }, { facts: inCart }])).toEqual([{}, {}]);
});

it('a second target of the same attempt is known as one more', () => {
  const contract: Contract = { kind: 'and', children: [cart, sent] };
  expect(hints(contract, [{ facts: nowhere, phase: 'start' }, { facts: ordered }, { facts: inCart }])).toEqual([
    {},
    { networkReached: true },
    { domReached: true, alreadyReached: true },
  ]);
});

it('what one lane shows was not reached by another; the network is of all lanes', () => {
  const looks = (facts: Facts): Look[] => [
    { facts: nowhere, lane: 'a' },
    { facts: nowhere, lane: 'b' },
    { facts, lane: 'a' },
    { facts, lane: 'b' },
  ];
  expect(hints(cart, looks(inCart)).slice(2)).toEqual([
    { domReached: true },
    { domReached: true, alreadyReached: true },
  ]);
  expect(hints(sent, looks(ordered)).slice(2)).toEqual([{ networkReached: true }, { alreadyReached: true }]);
});

it('a page that was never seen before is not compared, and an inconclusive look changes nothing', () => {
  expect(hints(cart, [{ facts: inCart }])).toEqual([{}]);
  expect(hints(cart, [{ facts: nowhere, phase: 'start' }, { facts: {} }, { facts: inCart }])[2]).toEqual({
    domReached: true,
  });
  expect(hints(cart, [{ facts: inCart, phase: 'start' }, { facts: {} }, { facts: inCart }])[2]).toEqual({});
});

it('a leaf under a `not` names no target, whether it holds or not', () => {
  const looks: Look[] = [{ facts: nowhere, phase: 'start' }, { facts: inCart }, { facts: nowhere }];
  expect(hints({ kind: 'not', child: cart }, looks)).toEqual([{}, {}, {}]);
});

it('an exact URL is passed on; a pattern that fits many is not', () => {
  const at = (pattern: string): unknown =>
    hints({ kind: 'url', pattern }, [
      { facts: { url: 'http://shop.test/' }, phase: 'start' },
      { facts: { url: 'http://shop.test/cart' } },
    ])[1];
  expect(at('^http://shop\\.test/cart$')).toEqual({ url: 'http://shop.test/cart' });
  expect(at('/cart$')).toEqual({});
});

it('a task with secrets expects a login', () => {
  const looks: Look[] = [{ facts: nowhere }];
  expect(hints(cart, looks, { secrets: ['SHOP_PASSWORD'] })).toEqual([{ expectsLogin: true }]);
  expect(hints(cart, looks, { secrets: [] })).toEqual([{}]);
});
