/**
 * The secrets that sign packs, in a file that only its owner can read. It is created at the first start. The first key signs; the others still
 * verify, until their packs have expired or they are retired.
 * Several servers on one database share a copy of the file.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { MAX_TTL_S } from '../limits.ts';
import { type TokenKeys, tokenKeys } from './token-keys.ts';

export const SIGNING_KEYS_FILE = 'signing-keys.json';

const fileSchema = z.object({
  keys: z
    .array(z.object({ kid: z.string().min(1).max(100), secret: z.base64url(), created_at: z.iso.datetime() }))
    .min(1),
});
type KeyFile = z.infer<typeof fileSchema>;

export interface SigningKeyInfo {
  kid: string;
  created_at: string;
  /** The newest signs; the others verify what they signed. */
  state: 'signs' | 'verifies';
  /** When the last pack that it signed expires. Null: it still signs. */
  needed_until: string | null;
}

/** The file is read again whenever a key is needed, so that a running server signs with a new key at once. */
export function openSigningKeys(file: string, now = new Date()): TokenKeys {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    // `wx`: of two simultaneous first starts only one writes, and both read the same file.
    writeFileSync(file, textOf({ keys: [newKey(now)] }), { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, thrown);
  }
  toKeys(read(file));
  return {
    get current() {
      return toKeys(read(file)).current;
    },
    find: (kid) => toKeys(read(file)).find(kid),
  };
}

/** Newest first. No secrets. */
export function listSigningKeys(file: string): SigningKeyInfo[] {
  return read(file).keys.map(({ kid, created_at }, index, keys) => {
    const successor = keys[index - 1];
    return {
      kid,
      created_at,
      state: successor === undefined ? 'signs' : 'verifies',
      needed_until: successor === undefined ? null : neededUntil(successor).toISOString(),
    };
  });
}

/** Adds a new signing key. Earlier packs stay valid until they expire; keys whose packs have all expired are removed. @returns the current keys. */
export function rotateSigningKey(file: string, now = new Date()): SigningKeyInfo[] {
  return change(file, ({ keys }) => {
    const stillNeeded = keys.filter((_, index) => {
      const successor = keys[index - 1];
      return successor === undefined || neededUntil(successor) > now;
    });
    return { keys: [newKey(now), ...stillNeeded] };
  });
}

/** Removes a key. Packs that it signed can't be imported any more. @returns the current keys. */
export function retireSigningKey(file: string, kid: string): SigningKeyInfo[] {
  return change(file, ({ keys }) => {
    const index = keys.findIndex((key) => key.kid === kid);
    if (index < 0) {
      throw new WaymarkError({
        code: 'usage_key_unknown',
        message: `There is no key ${kid.slice(0, 100)} in ${file}.`,
        hint: 'See: waymark keys list',
      });
    }
    if (index === 0) {
      throw new WaymarkError({
        code: 'usage_key_signs',
        message: `The key ${kid} signs new packs; it can't be retired while it does.`,
        hint: 'Make a new one first: waymark keys rotate',
      });
    }
    return { keys: keys.filter((key) => key.kid !== kid) };
  });
}

/** A key signs until the next one is made, and its last pack may live for the longest lifetime of a pack. */
function neededUntil(successor: KeyFile['keys'][number]): Date {
  return new Date(Date.parse(successor.created_at) + MAX_TTL_S * 1000);
}

/** Writes atomically and one change at a time, because of two simultaneous changes the second would lose the first one's key. */
function change(file: string, edit: (known: KeyFile) => KeyFile): SigningKeyInfo[] {
  const next = `${file}.next`;
  try {
    writeFileSync(next, '', { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, thrown);
    throw new WaymarkError({
      code: 'signing_keys_busy',
      message: `The keys in ${file} are being changed by another process.`,
      hint: `Try again. If no other process is running, an earlier change was interrupted: remove ${next}.`,
    });
  }
  try {
    writeFileSync(next, textOf(edit(read(file))), { mode: 0o600 });
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
  return listSigningKeys(file);
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
  // The message of a parser may quote the secret.
  const why =
    cause instanceof SyntaxError || cause instanceof z.ZodError ? 'it is not a file of keys' : messageOf(cause);
  return new WaymarkError({
    code: 'signing_keys_unusable',
    message: `The signing keys in ${file} can't be used: ${why}.`,
    hint: 'Restore the file from a backup. Without it, packs that were given out can not be imported; removing it makes a new key.',
  });
}
