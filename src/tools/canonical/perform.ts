/** Runs the calls of an action directly through a client, for tests and other uses without an episode. */
import type { CallOptions, ToolClient, ToolResult } from '../connect/tool-client.ts';
import type { ServerProfile } from '../profiles/profile.ts';
import type { CanonicalAction } from './action.ts';
import type { RenderContext, RenderEnd, RenderedCall } from './plan.ts';
import { render } from './render.ts';

export interface PerformedCall extends RenderedCall {
  result: ToolResult;
}

export interface Performed {
  calls: PerformedCall[];
  end: RenderEnd;
  /** Whether everything was done and nothing failed. */
  ok: boolean;
  /** The answer to the last call of the action itself. */
  text: string;
}

export async function performAction(
  action: CanonicalAction,
  profile: ServerProfile,
  client: ToolClient,
  context: RenderContext,
  options: CallOptions = {},
): Promise<Performed> {
  const calls: PerformedCall[] = [];
  const plan = render(action, profile, context);
  let next = plan.next();
  while (!next.done) {
    const result = await client.call(next.value.tool, next.value.args, options);
    calls.push({ ...next.value, result });
    next = plan.next(result);
  }
  const acts = calls.filter(({ purpose }) => purpose === 'act');
  const end = next.value;
  return {
    calls,
    end,
    ok: end.status === 'done' && acts.every(({ result }) => !result.isError),
    text: acts.at(-1)?.result.text ?? ('sentence' in end ? end.sentence : ''),
  };
}
