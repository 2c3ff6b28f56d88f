/** Chat pages: signed packs, tokens, capture archives and their import. */
export type { Capture } from './archive/capture-schema.ts';
export { checkCapture } from './archive/check-capture.ts';
export { readCapture } from './archive/read-capture.ts';
export { getImport } from './import/import-answer.ts';
export { importCapture } from './import/import-capture.ts';
export { LastDataset } from './import/last-dataset.ts';
export { MAX_TTL_S } from './limits.ts';
export { buildPack, type PackContext, packTarget } from './packs/build-pack.ts';
export { findLeaks } from './packs/find-leaks.ts';
export { draftPack, makePack } from './packs/make-pack.ts';
export { type PackRequest, packRequestSchema } from './packs/pack-request.ts';
export {
  listSigningKeys,
  openSigningKeys,
  retireSigningKey,
  rotateSigningKey,
  SIGNING_KEYS_FILE,
  type SigningKeyInfo,
} from './tokens/signing-keys.ts';
export { type TokenKeys, tokenKeys } from './tokens/token-keys.ts';
export { verifyToken } from './tokens/verify-token.ts';
