/**
 * The secrets that sign packs, in a file that only its owner reads. Made on the first start. The first key signs, the others still
 * verify: to rotate, `rotateSigningKey` puts a new one in front and forgets those whose packs have all expired.
 * Several servers on one database share a copy of the file.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { MAX_TTL_S } from '../limits.ts';
import { type TokenKeys, tokenKeys } from '../tokens/token-keys.ts';

export const SIGNING_KEYS_FILE = 'signing-keys.json';

const fileSchema = z.object({
  keys: z
    .array(z.object({ kid: z.string().min(1).max(100), secret: z.base64url(), created_at: z.iso.datetime() }))
    .min(1),
});
type KeyFile = z.infer<typeof fileSchema>;

export function openSigningKeys(file: string, now = new Date()): TokenKeys {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    // `wx`: of two first starts, one writes, and both read the same.
    writeFileSync(file, textOf({ keys: [newKey(now)] }), { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, thrown);
  }
  return toKeys(read(file));
}

/** Packs of before stay good until they expire. */
export function rotateSigningKey(file: string, now = new Date()): TokenKeys {
  const { keys } = read(file);
  // A key signs until its successor is made, and what it signed then lives for the longest time a pack may.
  const stillNeeded = keys.filter((_, index) => {
    const successor = keys[index - 1];
    return successor === undefined || Date.parse(successor.created_at) + MAX_TTL_S * 1000 > now.getTime();
  });
  const next = { keys: [newKey(now), ...stillNeeded] };
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporary, textOf(next), { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
  return toKeys(next);
}

function newKey(now: Date): KeyFile['keys'][number] {
  return {
    kid: randomBytes(6).toString('hex'),
    secret: randomBytes(32).toString('base64url'),
    created_at: now.toISOString(),
  };
}

function read(file: string): KeyFile {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (thrown) {
    throw unusable(file, thrown);
  }
}

function toKeys({ keys }: KeyFile): TokenKeys {
  return tokenKeys(keys.map(({ kid, secret }) => ({ kid, secret: Buffer.from(secret, 'base64url') })));
}

function textOf(value: KeyFile): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function unusable(file: string, cause: unknown): WaymarkError {
  // A parser's message may quote what it read.
  const why =
    cause instanceof SyntaxError || cause instanceof z.ZodError ? 'it is not a file of keys' : messageOf(cause);
  return new WaymarkError({
    code: 'signing_keys_unusable',
    message: `The signing keys in ${file} can't be used: ${why}.`,
    hint: 'Restore the file from a backup. Without it, packs that were given out can not be imported; removing it makes a new key.',
  });
}
