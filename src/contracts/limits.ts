/** Every bound of the contract language, in one place. */

/** Assertions may nest this deep; the outermost one is at depth 1. */
export const MAX_DEPTH = 8;
/** Assertions in one contract, connectives counted. */
export const MAX_NODES = 64;
/** Bytes of UTF-8 in any string of a contract. */
export const MAX_STRING_BYTES = 4096;
/** Entries of `status_in`: there are 500 status codes. */
export const MAX_STATUSES = 500;
/** Problems that a refusal lists before it says how many more there are. */
export const MAX_PROBLEMS = 256;
/** Instructions that a pattern may compile to, estimated before it is compiled (compiling costs about 3 µs each). */
export const MAX_PATTERN_SIZE = 5000;
/**
 * Pattern steps (characters × instructions) that one evaluation may cost, shared by the leaves that have a pattern.
 * Counted, not timed: a slow machine gives the same verdict as a fast one. The dearest pattern found takes
 * 120 ns a step, so that 10 million stay under the two seconds of `DEADLINE_MS`; an ordinary one takes a hundredth of that.
 */
export const MAX_PATTERN_STEPS = 10_000_000;
/** How long the witness may look, when the caller sets no deadline. */
export const DEADLINE_MS = 2000;
/** Characters of page text that evidence quotes. */
export const TEXT_PREVIEW = 240;
/** Characters of a URL or a model's answer that evidence quotes. */
export const URL_PREVIEW = 2048;
