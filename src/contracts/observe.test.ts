import { describe, expect, test, vi } from 'vitest';
import { evaluate } from './evaluate.ts';
import { evaluateFacts } from './evaluate-facts.ts';
import type { Facts, FactsNeeded } from './facts.ts';
import { observe } from './observe.ts';
import type { Contract } from './schema.ts';
import { recordedWitness, type Witness } from './witness.ts';

const url: Contract = { kind: 'url', pattern: 'x' };
const dialog: Contract = { kind: 'no_dialog' };
const text = (selector: string): Contract => ({ kind: 'dom_text', selector, contains: 'x' });
const count = (selector: string): Contract => ({ kind: 'dom_count', selector, op: 'eq', value: 0 });
const never = () => new Promise<never>(() => {});

describe('an observation', () => {
  test('asks for all selectors of a contract at once, each only once', async () => {
    const asked: FactsNeeded[] = [];
    const witness: Witness = {
      dom: (needed) => {
        asked.push(needed);
        return { domText: { h1: 'x', body: 'x' }, domCount: { li: 0 } };
      },
    };
    const contract: Contract = {
      kind: 'and',
      children: [
        text('h1'),
        { kind: 'not', child: text('h1') },
        { kind: 'dom_text', contains: 'x' },
        count('li'),
        count('li'),
      ],
    };
    await observe(contract, witness, new AbortController().signal);
    const sought = { contains: ['x'], equals: [], patterns: [] };
    expect(asked.map(({ domText, domCount }) => ({ domText, domCount }))).toEqual([
      {
        domText: [
          { selector: 'h1', ...sought },
          { selector: 'body', ...sought },
        ],
        domCount: ['li'],
      },
    ]);
  });

  test('calls no probe that the contract does not need', async () => {
    const called: string[] = [];
    const witness = new Proxy({} as Witness, { get: (_, name) => () => void called.push(String(name)) });
    await observe(dialog, witness, new AbortController().signal);
    expect(called).toEqual(['dialogs']);
  });

  test('keeps the reason of a probe that throws, now or later, and the facts of the others', async () => {
    const witness: Witness = {
      url: () => {
        throw new Error('The target is gone.');
      },
      dom: () => Promise.reject(new Error('The page crashed.')),
      dialogs: () => ({ open: false, seen: 0 }),
    };
    const facts = await observe(
      { kind: 'and', children: [url, text('h1'), dialog] },
      witness,
      new AbortController().signal,
    );
    expect(facts).toEqual({
      dialogs: { open: false, seen: 0 },
      unavailable: { url: 'The target is gone.', dom: 'The page crashed.' },
    });
  });

  test('ends when the signal aborts, with the facts observed by then', async () => {
    const controller = new AbortController();
    const witness: Witness = {
      url: () => 'x',
      dom: never,
      dialogs: () => {
        queueMicrotask(() => controller.abort());
        return { open: false, seen: 0 };
      },
    };
    const contract: Contract = { kind: 'or', children: [text('h1'), dialog, url] };
    const evidence = await evaluate(contract, witness, controller.signal);
    expect(evidence.verdict).toBe('pass');
    expect(await evaluate(text('h1'), witness, controller.signal)).toMatchObject({
      verdict: 'inconclusive',
      details: { reason: 'The dom probe did not answer before the deadline.' },
    });
  });

  test('has a deadline of two seconds when the caller gives none', async () => {
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
    const evaluated = evaluate(url, { url: never });
    controller.abort();
    expect((await evaluated).details.reason).toBe('The url probe did not answer before the deadline.');
    expect(timeout.mock.calls).toEqual([[2000]]);
    timeout.mockRestore();
  });

  test('calls no probe when the signal has already aborted', async () => {
    const evidence = await evaluate(url, { url: () => 'x' }, AbortSignal.abort());
    expect(evidence.verdict).toBe('inconclusive');
  });

  test('leaves no listener on a signal that lives longer', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listeners++;
        if (name === 'removeEventListener') listeners--;
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await observe(url, { url: () => 'x' }, counted);
    expect(listeners).toBe(0);
  });
});

describe('a recorded witness', () => {
  const contract: Contract = { kind: 'and', children: [url, text('h1'), count('li'), dialog] };
  const signal = new AbortController().signal;

  test.each<[string, Facts]>([
    ['everything', { url: 'x', domText: { h1: 'x' }, domCount: { li: 0 }, dialogs: { open: false, seen: 0 } }],
    ['nothing', {}],
    ['a part', { domCount: { li: 1 } }],
    ['reasons', { url: 'x', unavailable: { dom: 'The page hangs.', dialogs: 'Lost.' } }],
    ['a reason for one selector', { domCount: { li: 1 }, unavailable: { 'dom:h1': 'The frame is gone.' } }],
  ])('of %s gives the evidence that its facts give', async (_, facts) => {
    expect(await evaluate(contract, recordedWitness(facts), signal)).toEqual(evaluateFacts(contract, facts));
  });

  test('with the facts that another witness observed gives the same evidence', async () => {
    const live: Witness = { url: () => 'x', dom: () => Promise.reject(new Error('gone')), dialogs: () => undefined };
    const facts = await observe(contract, live, signal);
    const stored: Facts = JSON.parse(JSON.stringify(facts));
    expect(await evaluate(contract, recordedWitness(stored), signal)).toEqual(await evaluate(contract, live, signal));
  });
});
