/** The definition of a tool. Its JSON schema, its validation and its types all come from one zod schema. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { pathText } from '../../errors/index.ts';
import type { Call } from './call.ts';

export type Content = CallToolResult['content'];

export interface Tool {
  name: string;
  description: string;
  input: z.ZodObject;
  /** Whether it only observes and changes nothing on the page. */
  reads: boolean;
  timeoutMs: number;
  run(args: never, call: Call): Promise<string | Content>;
}

/** @example defineTool({ name: 'tabs_context', input: z.strictObject({}), … , run: async (args, call) => '…' }) */
export function defineTool<S extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & { input: S; run(args: z.infer<S>, call: Call): Promise<string | Content> },
): Tool {
  return tool;
}

/** All problems of the arguments, as sentences. */
export function problemsOf(error: z.ZodError, known: readonly string[]): string {
  return error.issues
    .map((issue) => {
      if (issue.code === 'unrecognized_keys') {
        const names = issue.keys.map((key) => `"${key}"`).join(', ');
        return `There is no argument ${names}; there are ${known.join(', ') || 'none'}.`;
      }
      const at = issue.path.length === 0 ? 'The arguments' : `"${pathText(issue.path)}"`;
      return `${at}: ${issue.message}.`;
    })
    .join(' ');
}
