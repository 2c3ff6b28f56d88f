/** Hashes that Node and a browser both compute. */
export { sha256Hex } from './sha256-hex.ts';
