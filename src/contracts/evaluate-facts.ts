/** Turns a contract and facts into an evidence tree. Synchronous and pure: the same facts always give the same evidence. */

import { rules } from './evaluate-leaf.ts';
import type { Evidence, LeafEvidence } from './evidence.ts';
import { type Facts, observedFacts } from './facts.ts';
import { all, any, negate } from './kleene.ts';
import { stepsPerLeaf } from './pattern-scan.ts';
import type { Contract, Leaf } from './schema.ts';

/**
 * @example
 * evaluateFacts({ kind: 'dom_count', selector: 'li', op: 'gte', value: 3 }, { domCount: { li: 2 } });
 * // { verdict: 'fail', passed: false, assertion_kind: 'dom_count',
 * //   details: { selector: 'li', op: 'gte', target: 3, observed: 2 } }
 */
export function evaluateFacts(contract: Contract, facts: Facts): Evidence {
  return evaluateNode(contract, observedFacts(facts), stepsPerLeaf(contract));
}

function evaluateNode(contract: Contract, facts: Facts, steps: number): Evidence {
  if (contract.kind === 'not') {
    const child = evaluateNode(contract.child, facts, steps);
    const verdict = negate(child.verdict);
    const details = {
      child,
      ...(verdict === 'inconclusive' && { reason: 'The assertion that it turns round is inconclusive.' }),
    };
    return { verdict, passed: verdict === 'pass', assertion_kind: 'not', details };
  }
  if (contract.kind === 'and' || contract.kind === 'or') {
    // All children are evaluated, also those after the deciding one, so that a report shows what each of them observed.
    const children = contract.children.map((child) => evaluateNode(child, facts, steps));
    const combine = contract.kind === 'and' ? all : any;
    const { verdict, decidingIndex } = combine(children.map((child) => child.verdict));
    const details = {
      evaluated: children.length,
      total: children.length,
      children,
      deciding_index: decidingIndex,
      ...(verdict === 'inconclusive' && {
        reason: `Child ${decidingIndex} is inconclusive, and no other child decides.`,
      }),
    };
    return { verdict, passed: verdict === 'pass', assertion_kind: contract.kind, details };
  }
  return evaluateLeaf(contract, facts, steps);
}

function evaluateLeaf<K extends Leaf['kind']>(
  leaf: Extract<Leaf, { kind: K }>,
  facts: Facts,
  steps: number,
): LeafEvidence {
  const rule = rules[leaf.kind as K];
  const { verdict, details } = rule(leaf, facts, steps);
  const path = leaf.kind === 'screenshot_class' || leaf.kind === 'image_qa' ? facts.screenshot?.path : undefined;
  return {
    verdict,
    passed: verdict === 'pass',
    assertion_kind: leaf.kind as K,
    details,
    ...(path !== undefined && { screenshot_path: path }),
  } as LeafEvidence;
}
