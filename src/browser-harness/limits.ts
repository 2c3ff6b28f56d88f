/** Every bound of the Browser Harness, in one place. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** A whole upload. A capture of 10,000 items with answers of 4 kB is 40 MB. */
export const MAX_BODY_BYTES = 64 * MIB;
/** One file of an archive: real bytes, counted. */
export const MAX_ENTRY_BYTES = {
  'manifest.json': 4 * MIB,
  'browser_harness.json': 4 * MIB,
  'results.jsonl': 64 * MIB,
  'items.jsonl': 64 * MIB,
} as const;
/** One line of JSONL, in UTF-16 code units. */
export const MAX_LINE = 4 * MIB;
/** Lines of a JSONL file, so also items of a dataset. */
export const MAX_LINES = 50_000;
export const MAX_JSON_DEPTH = 32;
/** Items of one pack: the token carries some 80 bytes for each. */
export const MAX_PACK_ITEMS = 10_000;
export const MAX_ID = 200;
export const MAX_PROMPT = 100_000;
export const MAX_RESPONSE = 1_000_000;
/** 10,000 items × 80 bytes, with room. */
export const MAX_TOKEN = 4 * MIB;

export const DEFAULT_TTL_S = 7 * 24 * 3600;
export const MIN_TTL_S = 60;
export const MAX_TTL_S = 30 * 24 * 3600;
