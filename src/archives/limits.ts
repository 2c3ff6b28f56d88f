/** Limits for files from untrusted sources: archives, JSON and JSONL. */
const MIB = 1024 * 1024;

/** A whole upload. A capture of 10,000 items with answers of 4 kB is 40 MB. */
export const MAX_BODY_BYTES = 64 * MIB;
/** One file of an archive, in actual bytes. */
export const MAX_ENTRY_BYTES = {
  'manifest.json': 4 * MIB,
  'browser_harness.json': 4 * MIB,
  'results.jsonl': 64 * MIB,
  'items.jsonl': 64 * MIB,
} as const;
/** One line of JSONL, in UTF-16 code units. */
export const MAX_LINE = 4 * MIB;
/** Lines of a JSONL file, and so also items of a dataset. */
export const MAX_LINES = 50_000;
export const MAX_JSON_DEPTH = 32;
