/**
 * The secrets that sign packs. The first key signs; the others still verify, until their packs have expired: that is how a key is rotated.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Item } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';

export interface TokenKey {
  readonly kid: string;
  /** At least 32 random bytes. */
  readonly secret: Uint8Array;
}

export interface TokenKeys {
  readonly current: TokenKey;
  find(kid: string): TokenKey | undefined;
}

const MIN_BYTES = 32;

export function tokenKeys(keys: readonly TokenKey[]): TokenKeys {
  const byId = new Map(keys.map((key) => [key.kid, key]));
  const current = keys[0];
  const weak = keys.find(({ secret }) => secret.length < MIN_BYTES);
  if (!current || weak || byId.size !== keys.length) {
    throw new WaymarkError({
      code: 'token_keys_invalid',
      message: weak
        ? `The signing key ${weak.kid} is shorter than ${MIN_BYTES} bytes.`
        : 'Packs are signed with at least one key, and each key has an id of its own.',
    });
  }
  return { current, find: (kid) => byId.get(kid) };
}

/**
 * A fingerprint of an item, including its answer, at the time when its pack was made, so that an import can name the changed items. It is keyed, because with a plain hash
 * anyone could try the four options and find the answer from the token.
 */
export function itemFingerprints(key: TokenKey, jti: string): (item: Item) => string {
  const own = keyOfPack(key, 'item fingerprint', jti);
  return (item) =>
    createHmac('sha256', own)
      .update(canonicalize(item) ?? '')
      .digest()
      .subarray(0, 12)
      .toString('base64url');
}

/**
 * The version of a dataset as a pack names it: 64 hexadecimal digits. The version's own hash covers all answers and needs no key, so anyone could
 * try answers until it fits.
 */
export function keyedVersion(key: TokenKey, jti: string, versionHash: string): string {
  return createHmac('sha256', keyOfPack(key, 'dataset version', jti))
    .update(versionHash)
    .digest('hex');
}

/** A key object, because converting the bytes for every item costs more than the hash. */
function keyOfPack(key: TokenKey, purpose: string, jti: string): KeyObject {
  return createSecretKey(createHmac('sha256', key.secret).update(`waymark ${purpose} ${jti}`).digest());
}
