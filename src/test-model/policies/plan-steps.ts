/** Drives the plans of canonical actions by the calls and results that stand in a conversation. */
import {
  type CanonicalAction,
  type Plan,
  type RenderContext,
  type RenderEnd,
  render,
  type ToolResult,
} from '../../tools/index.ts';
import type { Draft, ModelToolResult } from '../conversation.ts';
import { isSamePlan, type MarkedCall, markedId, markedText, type PlanLabel } from './call-marks.ts';
import type { KnownServer } from './tool-server.ts';

export interface PlannedCall {
  readonly label: PlanLabel;
  readonly call: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Where a plan stands after the calls that were made for it. */
export type PlanState = { readonly next: PlannedCall } | { readonly end: RenderEnd };

/** @param context is changed by plans that choose a tab. */
export function planState(
  action: CanonicalAction,
  label: PlanLabel,
  made: readonly MarkedCall[],
  server: KnownServer,
  context: RenderContext,
): PlanState {
  const own = made.filter((call) => isSamePlan(call.label, label));
  const plan: Plan<RenderEnd> = render(action, server.profile, context);
  let next = plan.next();
  for (const { result } of own) {
    if (next.done || result === undefined) break;
    next = plan.next(toolResult(result));
  }
  keepTab(action, own, server, context);
  if (next.done) return { end: next.value };
  const { tool, args } = next.value;
  return { next: { label, call: own.length + 1, tool, arguments: args } };
}

/** The result that named the tab may have been elided since; the calls that used it still name it. */
function keepTab(
  action: CanonicalAction,
  own: readonly MarkedCall[],
  { profile: { tabs } }: KnownServer,
  context: RenderContext,
): void {
  if (action.action !== 'tab' || action.operation !== 'select' || tabs.argument === undefined) return;
  const tab = own.at(-1)?.arguments[tabs.argument];
  if (typeof tab === 'string' || typeof tab === 'number') context.tab = tab;
}

function toolResult({ text, isError }: ModelToolResult): ToolResult {
  return { isError, text, texts: [text], blocks: ['text'], images: [], durationMs: 0 };
}

/** A reply that makes these calls. */
export function replyWithCalls(
  calls: readonly PlannedCall[],
  turn: number,
  { prefix }: KnownServer,
  why: string,
): Draft {
  return {
    text: `${calls.map(({ label, call }) => markedText(label, call)).join('; ')}: ${why}`,
    reasoning: why,
    toolCalls: calls.map(({ label, call, tool, arguments: given }, index) => ({
      id: markedId(label, call, turn, index),
      name: prefix + tool,
      arguments: given,
    })),
  };
}
