/** The contract language as JSON Schema, so that editors complete and check task files. */
import * as z from 'zod';
import { contractSchema } from './schema.ts';

export function contractJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(contractSchema);
  const description =
    'When an episode has succeeded. Limits that a schema cannot express: 8 levels, 64 assertions, valid selectors and patterns.';
  return { $schema, title: 'Waymark outcome contract', description, ...schema };
}
