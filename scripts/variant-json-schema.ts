/** The file of a variant as JSON Schema, for editors. */
import { z } from 'zod';
import { variantFileSchema } from '../src/runs/index.ts';

export function variantJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(variantFileSchema, { io: 'input' });
  const description = 'What is under test, by a name: an agent with its models, and a tool server.';
  return { $schema, title: 'Waymark variant', description, ...rest };
}
