/** Limits of questions and answers. */
export const MAX_ID = 200;
export const MAX_PROMPT = 100_000;
export const MAX_RESPONSE = 1_000_000;
/** Items of one pack: the token carries some 80 bytes for each. */
export const MAX_PACK_ITEMS = 10_000;
