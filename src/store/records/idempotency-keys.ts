/** A repeated request with the same key is answered like the first; the same key with another request is refused. */
import { and, eq, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import type { Queryable, Transaction } from '../database.ts';
import * as schema from '../schema/index.ts';

const { idempotencyKey } = schema;

export interface KeyedRequest {
  readonly operation: (typeof schema.KEYED_OPERATIONS)[number];
  readonly key: string;
  /** SHA-256 of what is asked for, 64 hexadecimal digits. */
  readonly requestHash: string;
}

type KeptAnswer = Record<string, unknown>;

/** @returns what the first request with this key was answered; undefined when this is the first. @throws WaymarkError idempotency_key_reused */
export async function answerToKey(db: Queryable, request: KeyedRequest): Promise<KeptAnswer | undefined> {
  const { operation, key, requestHash } = request;
  const [known] = await db
    .select()
    .from(idempotencyKey)
    .where(and(eq(idempotencyKey.operation, operation), eq(idempotencyKey.key, key)));
  if (!known || known.requestHash === requestHash) return known?.answer;
  const message = `It belongs to a request that made or found the run ${known.runId}.`;
  throw new WaymarkError({
    code: 'idempotency_key_reused',
    message: 'This idempotency key was used before, for another request.',
    issues: [{ path: 'Idempotency-Key', code: 'idempotency_key_reused', message }],
    hint: 'Use a new key for each new request.',
  });
}

/** Of two requests with one key at once, the second waits here until the transaction of the first has ended. */
export async function lockKey(tx: Transaction, { operation, key }: KeyedRequest): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`waymark key ${operation} ${key}`}, 0))`);
}

/** Call it in the transaction that did what was asked for. */
export async function keepKey(
  tx: Transaction,
  request: KeyedRequest,
  runId: string,
  answer: KeptAnswer,
): Promise<void> {
  await tx.insert(idempotencyKey).values({ ...request, runId, answer });
}
