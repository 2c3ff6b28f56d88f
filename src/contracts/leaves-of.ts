/** The leaves of a contract, in document order. */
import type { Contract, Leaf } from './schema.ts';

export function* leavesOf(contract: Contract): Generator<Leaf> {
  if (contract.kind === 'and' || contract.kind === 'or') {
    for (const child of contract.children) yield* leavesOf(child);
  } else if (contract.kind === 'not') {
    yield* leavesOf(contract.child);
  } else {
    yield contract;
  }
}
