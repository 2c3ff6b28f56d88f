/** Look, then judge. */

import { evaluateFacts } from './evaluate-facts.ts';
import type { Evidence } from './evidence.ts';
import { observe } from './observe.ts';
import type { Contract } from './schema.ts';
import type { Witness } from './witness.ts';

/**
 * Asks the witness for what the contract needs and judges it. Never rejects: what could not be seen is inconclusive.
 * To keep the facts for judging again, call `observe` and `judge` instead.
 *
 * @param signal ends the look; by default, two seconds from now.
 * @example
 * const witness = recordedWitness({ url: 'https://shop.example/done', dialogs: { open: false, seen: 0 } });
 * const contract: Contract = { kind: 'and', children: [{ kind: 'url', pattern: '/done$' }, { kind: 'no_dialog' }] };
 * (await evaluate(contract, witness)).verdict; // 'pass'
 */
export async function evaluate(contract: Contract, witness: Witness, signal?: AbortSignal): Promise<Evidence> {
  return evaluateFacts(contract, await observe(contract, witness, signal));
}
