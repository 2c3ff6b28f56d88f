/** Observes the page and evaluates the contract in one call. */

import { evaluateFacts } from './evaluate-facts.ts';
import type { Evidence } from './evidence.ts';
import { observe } from './observe.ts';
import type { Contract } from './schema.ts';
import type { Witness } from './witness.ts';

/**
 * Asks the witness for the facts that the contract needs and evaluates them. Never rejects: what could not be observed is
 * inconclusive. To keep the facts and evaluate them again later, call `observe` and `evaluateFacts` instead.
 *
 * @param signal ends the observation; the default is two seconds from now.
 * @example
 * const witness = recordedWitness({ url: 'https://shop.example/done', dialogs: { open: false, seen: 0 } });
 * const contract: Contract = { kind: 'and', children: [{ kind: 'url', pattern: '/done$' }, { kind: 'no_dialog' }] };
 * (await evaluate(contract, witness)).verdict; // 'pass'
 */
export async function evaluate(contract: Contract, witness: Witness, signal?: AbortSignal): Promise<Evidence> {
  return evaluateFacts(contract, await observe(contract, witness, signal));
}
