/** Whether the calls that an action becomes fit the server at hand: another version of it may have other tools, or other arguments. */
import * as z from 'zod';
import { findingsOf } from '../../errors/index.ts';
import type { ToolInfo } from '../connect/tool-client.ts';
import type { RenderedCall } from './plan.ts';

/**
 * Why the server refuses a call by what it declares of itself; undefined where the call fits, so that an error of it is about the page.
 *
 * @example
 * refusedRendering({ tool: 'browser_click', args: { target: 'e1' }, purpose: 'act' }, client.tools);
 */
export function refusedRendering({ tool, args }: RenderedCall, tools: readonly ToolInfo[]): string | undefined {
  const info = tools.find(({ name }) => name === tool);
  if (!info) return `The server has no tool ${tool}.`;
  const findings = findingsFor(info.inputSchema, args);
  return findings.length === 0 ? undefined : `The tool ${tool} refuses its arguments: ${findings.join('; ')}.`;
}

function findingsFor(schema: ToolInfo['inputSchema'], args: unknown): string[] {
  let parser: z.ZodType;
  try {
    parser = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    // Nothing can be said of a schema that zod can't read.
    return [];
  }
  const parsed = parser.safeParse(args);
  return parsed.success ? [] : findingsOf(parsed.error);
}
