/** A launch under an idempotency key: a repeated request is answered like the first, and launches nothing. */
import { canonicalHash } from '../../cases/index.ts';
import { answerToKey, type KeyedRequest, keepKey, lockKey, type Transaction } from '../../store/index.ts';

export async function launchOnce<T extends { run_id: string }>(
  tx: Transaction,
  request: unknown,
  key: string | undefined,
  launch: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return await launch();
  const keyed: KeyedRequest = { operation: 'launch', key, requestHash: canonicalHash(request) };
  await lockKey(tx, keyed);
  const known = await answerToKey(tx, keyed);
  // Written below, and by nothing else.
  if (known) return known as T;
  const launched = await launch();
  await keepKey(tx, keyed, launched.run_id, { ...launched });
  return launched;
}
