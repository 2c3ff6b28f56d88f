/** What a call does, named in the same way on every server where the canonical action that it was rendered from is known. */
import { callKey } from './call-key.ts';

export interface CallOfMove {
  tool: string;
  arguments?: unknown;
  observes?: boolean | undefined;
  canonical?: unknown;
}

export interface Move {
  /** The canonical action, or the tool. */
  action: string;
  /** The action with its arguments. */
  key: string;
  observes: boolean;
}

/** The canonical actions that only observe. Servers differ in it: one waits by a tool of its own, another by a script. */
const OBSERVING: ReadonlySet<string> = new Set(['read', 'screenshot', 'wait']);

/**
 * @example
 * const action = { action: 'wait', text: 'Done' };
 * const a = moveOf({ tool: 'wait_for', arguments: { text: 'Done' }, observes: true, canonical: action });
 * const b = moveOf({ tool: 'evaluate_script', arguments: { function: '…' }, observes: false, canonical: action });
 * a; // => { action: 'wait', key: 'canonical {"action":"wait","text":"Done",}', observes: true }
 * b; // => a
 */
export function moveOf({ tool, arguments: args, observes, canonical }: CallOfMove): Move {
  const action: unknown = Object(canonical).action;
  if (typeof action !== 'string') return { action: tool, key: callKey(tool, args), observes: observes === true };
  const lists = action === 'tab' && Object(canonical).operation === 'list';
  return { action, key: callKey('canonical', canonical), observes: OBSERVING.has(action) || lists };
}
