/** The claims of a token: hashes, ids and the target page. It holds no prompts and no answers. */
import { z } from 'zod';
import type { Target } from '../formats.ts';
import { originSchema, presetSchema } from '../target.ts';

export const TOKEN_TYPE = 'eval752-pack+jwt';
export const TOKEN_AUDIENCE = 'eval752:browser-harness:import';
export const TOKEN_ALGORITHM = 'HS256';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const claimsSchema = z.object({
  aud: z.literal(TOKEN_AUDIENCE),
  jti: z.string().min(1).max(200),
  /** Seconds since 1970. */
  iat: z.int(),
  exp: z.int(),
  dataset_id: z.string().min(1).max(200),
  /** The hash of the dataset's version, keyed: see `keyedVersion`. */
  version_hash: hash,
  item_count: z.int().positive(),
  /** SHA-256 over the canonical JSON of the ids in the pack's order. */
  item_ids_hash: hash,
  /** In the pack's order: id, hash of the prompt (128 bits), keyed fingerprint of the whole item (96 bits). */
  items: z.array(z.tuple([z.string(), z.string().length(22), z.string().length(16)])),
  target: z.object({
    preset: presetSchema,
    origin: originSchema,
    display_name: z.string(),
  }) satisfies z.ZodType<Target>,
  /** A hash of the canonical JSON of the chosen judge, or null. It prevents that the person who imports the capture chooses another judge. */
  judge_hash: hash.nullable(),
});

export type TokenClaims = z.infer<typeof claimsSchema>;
