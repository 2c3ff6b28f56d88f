/** A trace that was made elsewhere, in the words of the journal. What a format has and the journal has no place for is counted by name. */
import type { Message, ModelUsage } from '../../events/index.ts';

export type TracePart = (
  | { type: 'message'; message: Extract<Message, { type: 'user' | 'assistant' | 'error' }> }
  | { type: 'call'; id: string; tool: string; arguments: unknown }
  | { type: 'result'; id: string; text: string; isError: boolean }
  | ({ type: 'usage' } & ModelUsage)
) & {
  /** Milliseconds since the epoch, where the format says when it was. */
  at?: number;
};

export interface Trace {
  /** `ATIF-v1.4`, `AI SDK stream`. */
  format: string;
  /** As the trace names it. */
  agent?: { name: string; version?: string };
  parts: TracePart[];
  /** Why it ended, where that was an error. */
  failure?: string;
  unmapped: ReadonlyMap<string, number>;
}

export class Unmapped extends Map<string, number> {
  count(what: string, times = 1): void {
    if (times > 0) this.set(what, (this.get(what) ?? 0) + times);
  }
}

/** The text of a tool's output: a string, parts as MCP and ATIF have them, or any value as JSON. Parts that are no text are counted. */
export function outputText(output: unknown, unmapped: Unmapped): string {
  if (typeof output === 'string') return output;
  if (output === undefined || output === null) return '';
  const { content = output }: { content?: unknown } = Object(output);
  if (!Array.isArray(content) || !content.every(isPart)) return JSON.stringify(output);
  const texts = content.flatMap((part) => {
    if (typeof part.text === 'string') return [part.text];
    unmapped.count(`a part of the type ${part.type}`);
    return [];
  });
  return texts.join('\n');
}

function isPart(value: unknown): value is { type: string; text?: unknown } {
  return typeof Object(value).type === 'string';
}
