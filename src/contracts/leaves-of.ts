/** The leaves of a contract, in document order, and what they say of the contract. */
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

/** Whether an agent that may run code in the page can make the contract hold without doing the task. */
export function isForgeable(contract: Contract): boolean {
  return [...leavesOf(contract)].some(({ kind }) => kind === 'script');
}
