/** The request for a pack. */
import { z } from 'zod';
import { MAX_ID, MAX_PACK_ITEMS } from '../../cases/index.ts';
import { judgeSchema } from '../../runs/index.ts';
import { MAX_SELECTOR, MAX_SELECTORS } from '../formats.ts';
import { MAX_TTL_S, MIN_TTL_S } from '../limits.ts';
import { displayNameSchema, originSchema, presetSchema } from '../target.ts';

export const packRequestSchema = z.strictObject({
  dataset_id: z.string().min(1).max(MAX_ID),
  sections: z.array(z.string().max(200)).min(1).max(1000).optional(),
  item_ids: z.array(z.string().max(MAX_ID)).min(1).max(MAX_PACK_ITEMS).optional(),
  max_items: z.int().positive().optional(),
  target: z.strictObject({
    preset: presetSchema,
    origin: originSchema,
    display_name: displayNameSchema.optional(),
    /** Only for the script, and not for the pack or the token. `validateSelectors` checks them. */
    selectors: z.record(z.string().max(50), z.array(z.string().max(MAX_SELECTOR)).max(MAX_SELECTORS)).optional(),
  }),
  judge: judgeSchema.nullish(),
  ttl_s: z.int().min(MIN_TTL_S).max(MAX_TTL_S).optional(),
  /** v1 supports only primary items: anything except `enabled: false` is refused with its own code. */
  variation: z.looseObject({ enabled: z.boolean() }).optional(),
});

export type PackRequest = z.infer<typeof packRequestSchema>;
