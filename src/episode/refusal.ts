/** Calls that are answered by the harness and never sent: without their gate, or with a secret that the task has not. */
import type { ToolResult } from '../tools/index.ts';

export interface RefusalGrounds {
  gate: string | undefined;
  /** Placeholders of secrets that are not the task's. */
  unknown: readonly string[];
  /** Those that are. */
  names: readonly string[];
}

export function refusal({ gate, unknown, names }: RefusalGrounds): ToolResult | undefined {
  if (gate !== undefined) {
    return failed(
      'gate_refused',
      `Refused by the harness: "${gate}" needs a gate, and the gate is closed. Nothing was done.`,
    );
  }
  const [first] = unknown;
  if (first === undefined) return undefined;
  const known = names.length === 0 ? 'The task has no secrets.' : `The task has: ${names.join(', ')}.`;
  return failed('bad_argument', `There is no secret "${first}". ${known} Nothing was done.`);
}

function failed(errorKind: string, text: string): ToolResult {
  return { isError: true, text, texts: [text], blocks: ['text'], images: [], errorKind, durationMs: 0 };
}
