/** The key by which a repeated request is known. */
import { z } from '@hono/zod-openapi';

export const idempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII text')
    .optional(),
});
