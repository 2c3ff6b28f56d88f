/** A baseline file as JSON Schema, for editors and for other programs that write one. */
import { z } from 'zod';
import { baselineSchema } from '../src/runs/index.ts';

export function baselineJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(baselineSchema, { io: 'input' });
  const description = 'A run in short, to compare later runs with.';
  return { $schema, title: 'Waymark baseline', description, ...rest };
}
