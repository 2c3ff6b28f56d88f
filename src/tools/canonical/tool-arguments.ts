/** Which arguments a tool takes, by the JSON Schema that its server lists. */
import { z } from 'zod';

const InputSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
});
const Typed = z.object({ type: z.unknown().optional(), items: z.object({ type: z.unknown().optional() }).optional() });

export interface ToolArguments {
  readonly names: ReadonlySet<string>;
  readonly required: readonly string[];
  /** Whether the tool refuses arguments that it does not name. */
  readonly isClosed: boolean;
  /** The type of an argument, and of its items where it is a list. */
  typeOf(name: string): { type: unknown; items?: unknown };
}

/** @example toolArguments({ type: 'object', properties: { url: { type: 'string' } } }).names.has('url') // => true */
export function toolArguments(inputSchema: Readonly<Record<string, unknown>>): ToolArguments {
  const parsed = InputSchema.safeParse(inputSchema);
  const { properties = {}, required = [], additionalProperties } = parsed.data ?? {};
  return {
    names: new Set(Object.keys(properties)),
    // A schema that is made from code may list as required what has a default (browser_take_screenshot's "scale").
    required: required.filter((name) => !Object.hasOwn(Object(properties[name]), 'default')),
    isClosed: additionalProperties === false,
    typeOf: (name) => {
      const { type, items } = Typed.safeParse(properties[name]).data ?? {};
      return { type, items: items?.type };
    },
  };
}
