/** `manifest.sig.json`: an Ed25519 signature over the manifest's hash, the run's id and the time that the signer names. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { errnoOf, fileNotWritten, putJson } from '../../journal/index.ts';
import { SIGNATURE_FILE } from '../folder/manifest-file.ts';

const signatureSchema = z.strictObject({
  format: z.literal('waymark.signature.v1'),
  algorithm: z.literal('Ed25519'),
  runId: z.string(),
  /** SHA-256 of manifest.json. */
  manifest: z.string(),
  signedAt: z.iso.datetime(),
  /** PEM. */
  publicKey: z.string(),
  keyId: z.string(),
  signature: z.base64(),
});
export type Signature = z.infer<typeof signatureSchema>;

export function signManifest(
  root: string,
  about: { runId: string; manifest: Buffer; key: KeyObject; now: number },
): Signature {
  const publicKey = createPublicKey(about.key);
  const said = {
    runId: about.runId,
    manifest: sha256(about.manifest),
    signedAt: new Date(about.now).toISOString(),
  };
  const signed: Signature = {
    format: 'waymark.signature.v1',
    algorithm: 'Ed25519',
    ...said,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: keyIdOf(publicKey),
    signature: sign(null, statement(said), about.key).toString('base64'),
  };
  putJson(path.join(root, SIGNATURE_FILE), signed);
  return signed;
}

/** Whether this manifest is the one that was signed. */
export function isOver(signed: Signature, manifest: Buffer): boolean {
  return signed.manifest === sha256(manifest);
}

/** What is wrong with the signature file, in words; undefined where it is a signature by the key that it names. */
export function signatureProblem(signed: Signature, trusted: KeyObject | undefined): string | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey(signed.publicKey);
  } catch {
    return 'it names no public key';
  }
  if (key.asymmetricKeyType !== 'ed25519' || keyIdOf(key) !== signed.keyId)
    return 'its key is not the one that it names';
  if (!verify(null, statement(signed), key, Buffer.from(signed.signature, 'base64')))
    return `it is not by the key ${signed.keyId}`;
  if (trusted && keyIdOf(trusted) !== signed.keyId)
    return `it is by the key ${signed.keyId}, not by ${keyIdOf(trusted)}`;
  return undefined;
}

/** Undefined where there is no file; `unreadable` where it is no signature. */
export function readSignature(root: string): Signature | 'unreadable' | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(root, SIGNATURE_FILE), 'utf8');
  } catch {
    return undefined;
  }
  try {
    return signatureSchema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

/** What the signature is over: lines, so that it can be checked with any tool. */
function statement({ runId, manifest, signedAt }: Pick<Signature, 'runId' | 'manifest' | 'signedAt'>): Buffer {
  return Buffer.from(`waymark.signature.v1\nrun ${runId}\nmanifest sha256:${manifest}\nsigned-at ${signedAt}\n`);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The first half of the SHA-256 of the public key (DER). */
export function keyIdOf(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' })).slice(0, 32);
}

export function readPrivateKey(file: string): KeyObject {
  return readKey(file, 'private', createPrivateKey);
}

export function readPublicKey(file: string): KeyObject {
  return readKey(file, 'public', createPublicKey);
}

function readKey(file: string, what: 'private' | 'public', read: (pem: Buffer) => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read(readFileSync(file));
  } catch (cause) {
    const why = errnoOf(cause) === 'ENOENT' ? 'there is no such file' : messageOf(cause);
    throw badKey(`The ${what} key ${file} can't be read: ${why}.`, cause);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw badKey(`The key ${file} is of the type ${key.asymmetricKeyType}, not Ed25519.`);
}

function badKey(message: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_key',
    message,
    hint: 'Give an Ed25519 key as PEM without a passphrase; waymark sign --new-key <file> makes one.',
    cause,
  });
}

/** Writes `<file>` (the private key, readable only by its owner) and `<file>.pub`. Existing files stay. */
export function makeKey(file: string): { keyId: string; privateKey: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  const publicFile = `${file}.pub`;
  put(file, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  put(publicFile, pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 0o644);
  return { keyId: keyIdOf(pair.publicKey), privateKey: file, publicKey: publicFile };
}

function put(file: string, text: string, mode: number): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode });
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw fileNotWritten(file, cause);
    throw new WaymarkError({
      code: 'usage_bad_key',
      message: `${file} exists already. Nothing was written over.`,
      hint: 'Choose another name for the new key.',
      cause,
    });
  }
}
