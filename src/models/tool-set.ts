/** The tools of an MCP server as the AI SDK takes them: described to the model, never run by the SDK. */
import type { JSONSchema7, ToolSet } from 'ai';
import { z } from 'zod';
import { sentenceOf } from '../errors/index.ts';

export interface DescribedTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema. */
  readonly inputSchema: unknown;
}

export interface NamedTools {
  readonly set: ToolSet;
  /** The tool's own name, from the one that the model was given; undefined where there is no such tool. */
  nameOf(modelName: string): string | undefined;
}

/** What every provider accepts as the name of a tool. */
const MAX_NAME = 64;

/** Arguments that don't fit a tool's schema come back as an invalid call, which the SDK has answered already. */
export async function toolSet(tools: readonly DescribedTool[]): Promise<NamedTools> {
  const { dynamicTool, jsonSchema } = await import('ai');
  const names = new Map<string, string>();
  const entries = tools.map(({ name, description, inputSchema }) => {
    const shown = freeName(name, names);
    names.set(shown, name);
    const schema: JSONSchema7 = { type: 'object', ...Object(inputSchema) };
    const checked = jsonSchema(schema, { validate: checkOf(schema) });
    return [shown, dynamicTool({ ...(description ? { description } : {}), inputSchema: checked })];
  });
  return { set: Object.fromEntries(entries), nameOf: (modelName) => names.get(modelName) };
}

function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME) || 'tool';
  let free = plain;
  for (let count = 2; taken.has(free); count++) free = `${plain.slice(0, MAX_NAME - 4)}_${count}`;
  return free;
}

type Checked = { success: true; value: unknown } | { success: false; error: Error };

/** The arguments themselves are passed on as they came: defaults and conversions are the server's. */
function checkOf(schema: JSONSchema7): (given: unknown) => Checked {
  const parser = parserOf(schema);
  return (value) => {
    const parsed = parser?.safeParse(value);
    if (!parsed || parsed.success) return { success: true, value };
    return { success: false, error: new Error(`The arguments are wrong: ${sentenceOf(parsed.error)}`) };
  };
}

function parserOf(schema: JSONSchema7): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    // A schema that zod can't read is the server's to enforce.
    return undefined;
  }
}
