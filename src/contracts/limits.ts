/** Every bound of the contract language, in one place. */

/** How deep assertions may nest; the outermost one is at depth 1. */
export const MAX_DEPTH = 8;
/** The number of assertions in one contract, including connectives. */
export const MAX_NODES = 64;
/** Bytes of UTF-8 in any string of a contract. */
export const MAX_STRING_BYTES = 4096;
/** Entries of `status_in`: there are 500 status codes. */
export const MAX_STATUSES = 500;
/** Options that `selected` may name. */
export const MAX_OPTIONS = 100;
/** How many problems a refusal lists; the rest are only counted. */
export const MAX_PROBLEMS = 256;
/** How many instructions a pattern may compile to. It is estimated before compiling, which costs about 3 µs per instruction. */
export const MAX_PATTERN_SIZE = 5000;
/**
 * Pattern steps (characters × instructions) that one evaluation may use, shared by the leaves that have a pattern.
 * Steps are counted, not timed, so that a slow machine gives the same verdict as a fast one. The most expensive pattern found
 * takes 120 ns per step, so that 10 million stay under the two seconds of `DEADLINE_MS`; ordinary patterns take a hundredth.
 */
export const MAX_PATTERN_STEPS = 10_000_000;
/** How long an observation may take when the caller sets no deadline. */
export const DEADLINE_MS = 2000;
/** Characters of page text that evidence quotes. */
export const TEXT_PREVIEW = 240;
/** Characters of a URL or a model's answer that evidence quotes. */
export const URL_PREVIEW = 2048;
/** Characters of JSON that the value of a `script` may have: it stands in the journal at every look. */
export const MAX_SCRIPT_VALUE = 4096;
