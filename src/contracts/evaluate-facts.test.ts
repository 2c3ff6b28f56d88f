import { describe, expect, test } from 'vitest';
import { evaluateFacts } from './evaluate-facts.ts';
import { tallyLeaves } from './evidence.ts';
import type { Facts } from './facts.ts';
import type { Contract } from './schema.ts';

describe('connectives', () => {
  const pass: Contract = { kind: 'url', pattern: 'x' };
  const fail: Contract = { kind: 'url', pattern: 'y' };
  const unknown: Contract = { kind: 'no_dialog' };
  const facts: Facts = { url: 'x' };

  test('evaluate all children and name the one that decides', () => {
    const evidence = evaluateFacts({ kind: 'and', children: [pass, unknown, fail, fail] }, facts);
    expect(evidence).toMatchObject({ verdict: 'fail', passed: false, assertion_kind: 'and' });
    expect(evidence.details).toMatchObject({ evaluated: 4, total: 4, deciding_index: 2 });
    expect(evidence.details).not.toHaveProperty('reason');
  });

  test('without a deciding child are inconclusive, with the reason', () => {
    const evidence = evaluateFacts({ kind: 'not', child: { kind: 'or', children: [fail, unknown] } }, facts);
    expect(evidence).toMatchObject({ verdict: 'inconclusive', passed: false, assertion_kind: 'not' });
    expect(evidence.details.reason).toBe('The assertion that it turns round is inconclusive.');
    expect(evidence.assertion_kind === 'not' && evidence.details.child.details.reason).toBe(
      'Child 1 is inconclusive, and no other child decides.',
    );
  });

  test('whose children all agree have no deciding child', () => {
    expect(evaluateFacts({ kind: 'and', children: [pass, pass] }, facts).details).toMatchObject({
      deciding_index: null,
    });
    expect(evaluateFacts({ kind: 'or', children: [fail, fail] }, facts).details).toMatchObject({
      deciding_index: null,
    });
  });

  test('leaves are counted as the contract wants them', () => {
    const contract: Contract = {
      kind: 'and',
      children: [pass, fail, unknown, { kind: 'not', child: { kind: 'or', children: [fail, pass, unknown] } }],
    };
    expect(tallyLeaves(evaluateFacts(contract, facts))).toEqual({ holding: 2, total: 6 });
    expect(tallyLeaves(evaluateFacts({ kind: 'not', child: { kind: 'not', child: pass } }, facts))).toEqual({
      holding: 1,
      total: 1,
    });
  });
});
