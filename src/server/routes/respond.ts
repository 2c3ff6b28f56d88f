/** Parts of route descriptions that repeat. */
import { z } from '@hono/zod-openapi';
import type { z as zod } from 'zod';

export const json = <T extends zod.ZodType>(description: string, schema: T) => ({
  description,
  content: { 'application/json': { schema } },
});

/** What a database can hold: it would refuse NUL, and that would look like a fault of ours. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner));
}
export const STORABLE = { error: 'must not hold NUL or half a surrogate pair' };

export const body = <T extends zod.ZodType>(schema: T) => ({
  required: true,
  content: { 'application/json': { schema: schema.refine(isStorable, STORABLE) } },
});

export const textQuery = z.string().max(200).refine(isStorable, STORABLE).optional();

export const idParam = z.object({ id: z.string().max(200) });

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const limitQuery = wholeNumber(1, 500).default(50);
/** The number of the last one that was seen. */
export const afterQuery = wholeNumber(0, 2_000_000_000).default(0);

export const warningSchema = z.object({
  code: z.string(),
  message: z.string(),
  item_ids: z.array(z.string()).readonly().optional(),
});

/** A file as a body, described for OpenAPI; it is read by `readUpload`, not by a validator. */
export const uploadBody = (types: readonly string[]) => ({
  required: true,
  content: Object.fromEntries(
    types.map((type) => [
      type,
      {
        schema:
          type === 'multipart/form-data'
            ? {
                type: 'object' as const,
                required: ['file'],
                properties: { file: { type: 'string' as const, format: 'binary' } },
              }
            : type === 'application/json'
              ? { type: 'object' as const }
              : { type: 'string' as const, format: 'binary' },
      },
    ]),
  ),
});
