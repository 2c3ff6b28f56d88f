/** Waits by a script in the page, for servers that have no tool for what is waited for. */
import type { ToolResult } from '../connect/tool-client.ts';
import type { ActionOf } from './action.ts';
import { waitFor } from './in-page.ts';
import { act, failed, type Plan } from './plan.ts';

const WAIT_MS = 10_000;
/** A page may navigate while a script waits in it, so the script is run repeatedly. */
const LOOK_MS = 1_000;

export interface PlannedCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
}

/** `run` is the call that runs a function of the page, `holds` whether its answer is true. */
export function* waitInPage(
  action: ActionOf<'wait'>,
  run: (source: string) => PlannedCall,
  holds: (result: ToolResult) => boolean,
): Plan<void> {
  const { timeoutMs = WAIT_MS } = action;
  for (let left = timeoutMs; left > 0; left -= LOOK_MS) {
    const look = run(waitFor(action, Math.min(left, LOOK_MS)));
    const result = yield { ...look, purpose: 'locate' };
    if (result.isError || !holds(result)) continue;
    // The looks before may have failed because the page was left; this one is the action itself.
    yield* act(look.tool, look.args);
    return;
  }
  throw failed('timeout', `It did not come to pass within ${timeoutMs} ms.`);
}
