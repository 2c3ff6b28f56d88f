/**
 * Verifies a token. The algorithm is fixed, and all problems with a signature, a type, an audience or a key have the same message,
 * so that a forger learns nothing from the difference.
 */
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Item } from '../../cases/index.ts';
import { canonicalHash } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { MAX_TOKEN } from '../limits.ts';
import { claimsSchema, TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_TYPE, type TokenClaims } from './claims.ts';
import { itemFingerprints, keyedVersion, type TokenKeys } from './token-keys.ts';

export interface VerifiedToken {
  readonly claims: TokenClaims;
  /** The fingerprint of an item now. It equals the token's when the item has not changed. */
  fingerprint(item: Item): string;
  /** Whether the pack was made of the version with this hash. */
  isOfVersion(versionHash: string): boolean;
}

const HINT = 'Make a new pack and capture again.';

export async function verifyToken(token: unknown, keys: TokenKeys, now: Date): Promise<VerifiedToken> {
  if (token === undefined || token === null || token === '') {
    throw new WaymarkError({
      code: 'token_missing',
      message: 'The capture has no dataset token.',
      issues: [at('token_missing', 'There is none.')],
    });
  }
  if (typeof token !== 'string' || !isCompact(token)) throw malformed();
  const { kid } = headerOf(token);
  const key = typeof kid === 'string' ? keys.find(kid) : undefined;
  if (!key) throw refused();
  let payload: unknown;
  try {
    ({ payload } = await jwtVerify(token, key.secret, {
      algorithms: [TOKEN_ALGORITHM],
      typ: TOKEN_TYPE,
      audience: TOKEN_AUDIENCE,
      currentDate: now,
      requiredClaims: ['exp', 'jti', 'iat'],
    }));
  } catch (thrown) {
    // Only a token with a valid signature can be expired, because jose checks the signature first.
    if (thrown instanceof errors.JWTExpired) throw expired(thrown.payload.exp);
    throw refused();
  }
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success || !isConsistent(parsed.data)) throw refused();
  const claims = parsed.data;
  return {
    claims,
    fingerprint: itemFingerprints(key, claims.jti),
    // Tokens of version 0.1.0 contain the hash as it is. They are accepted until they expire, because the server has signed them too.
    isOfVersion: (hash) => claims.version_hash === keyedVersion(key, claims.jti, hash) || claims.version_hash === hash,
  };
}

function isCompact(token: string): boolean {
  return token.length <= MAX_TOKEN && /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(token);
}

function headerOf(token: string): { kid?: unknown } {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof payload !== 'object' || payload === null) throw malformed();
    return decodeProtectedHeader(token);
  } catch {
    // All malformed tokens get the same message, so that a forger learns nothing.
    throw malformed();
  }
}

function isConsistent({ items, item_count, item_ids_hash }: TokenClaims): boolean {
  const ids = items.map(([id]) => id);
  return items.length === item_count && new Set(ids).size === item_count && canonicalHash(ids) === item_ids_hash;
}

function at(code: string, message: string) {
  return { path: 'browser_harness.dataset_token', code, message };
}

function malformed(): WaymarkError {
  const message = 'The dataset token is not a token.';
  return new WaymarkError({ code: 'token_malformed', message, issues: [at('token_malformed', message)], hint: HINT });
}

function refused(): WaymarkError {
  const message = 'The dataset token was not made by this server, or not for this.';
  return new WaymarkError({ code: 'token_invalid', message, issues: [at('token_invalid', message)], hint: HINT });
}

function expired(exp: number | undefined): WaymarkError {
  const when = exp === undefined ? 'in the past' : `at ${new Date(exp * 1000).toISOString()}`;
  const message = `The pack expired ${when}.`;
  return new WaymarkError({ code: 'token_expired', message, issues: [at('token_expired', message)], hint: HINT });
}
