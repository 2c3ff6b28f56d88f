/** Calls that are answered by the harness and never sent: without their approval, with a secret that the task has not, as a look that is none, or to an element that is not there. */
import type { ToolResult } from '../tools/index.ts';

export interface RefusalGrounds {
  /** The guarded action that was asked for without approval. */
  guard: string | undefined;
  /** Placeholders of secrets that are not the task's. */
  unknown: readonly string[];
  /** Those that are. */
  names: readonly string[];
  /** The tool of a look that does more than observe. */
  notALook?: string | undefined;
  /** Why an action can't be tried. */
  untried?: { kind: string; sentence: string } | undefined;
}

export function refusal({ guard, unknown, names, notALook, untried }: RefusalGrounds): ToolResult | undefined {
  if (guard !== undefined) {
    return refused(
      'gate_refused',
      `Refused by the harness: "${guard}" is a guarded action, and is not allowed. Nothing was done.`,
    );
  }
  if (notALook !== undefined) {
    return refused(
      'look_refused',
      `Refused by the harness: "${notALook}" with these arguments does more than observe, so that it is a step and not a look. Nothing was done.`,
    );
  }
  if (untried !== undefined) return refused(untried.kind, untried.sentence);
  const [first] = unknown;
  if (first === undefined) return undefined;
  const known = names.length === 0 ? 'The task has no secrets.' : `The task has: ${names.join(', ')}.`;
  return refused('bad_argument', `There is no secret "${first}". ${known} Nothing was done.`);
}

export function refused(errorKind: string, text: string): ToolResult {
  return { isError: true, text, texts: [text], blocks: ['text'], images: [], errorKind, durationMs: 0 };
}
