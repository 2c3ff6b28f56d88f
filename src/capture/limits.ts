/** Limits of uploads, tokens and packs. */
const MIB = 1024 * 1024;

/** 10,000 items × 80 bytes, with a margin. */
export const MAX_TOKEN = 4 * MIB;

export const DEFAULT_TTL_S = 7 * 24 * 3600;
export const MIN_TTL_S = 60;
export const MAX_TTL_S = 30 * 24 * 3600;
