/** SHA-256, by Node's own code where there is Node: the library's, which a browser needs, takes some fifty times as long. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

type Hash = (algorithm: 'sha256', data: string | Uint8Array) => string;

/** Not an import: what is bundled for a browser can't have one of Node's modules. */
const { process } = globalThis as unknown as {
  process?: { getBuiltinModule?: (name: string) => { hash?: Hash } | undefined };
};
const ofNode = process?.getBuiltinModule?.('node:crypto')?.hash;

/** SHA-256 of UTF-8 text or bytes, 64 hexadecimal digits. */
export const sha256Hex: (data: string | Uint8Array) => string = ofNode
  ? (data) => ofNode('sha256', data)
  : sha256HexAnywhere;

/** The same without Node. */
export function sha256HexAnywhere(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));
}
