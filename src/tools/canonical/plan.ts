/**
 * The calls that an action becomes, one after the other. A plan is a generator: it says the next call and is given its result. Whoever
 * runs it makes the calls, so that an episode's step counts, records and limits them like any other; the plan itself does nothing.
 */
import type { ToolResult } from '../connect/tool-client.ts';

export interface RenderedCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  /** `locate`: only to learn how the server names an element or a tab. `act`: the action itself. */
  purpose: 'locate' | 'act';
}

/** How a plan ended. Calls that failed are the caller's to see: their results passed through its hands. */
export type RenderEnd =
  | { status: 'done' }
  /** The server can't do this; nothing was done. */
  | { status: 'unsupported'; sentence: string }
  /** The element, tab or page is not as the action needs it; the action itself was not tried. */
  | { status: 'failed'; kind: string; sentence: string };

export type Plan<T> = Generator<RenderedCall, T, ToolResult>;

/** What is remembered from action to action of an episode. A new one for every episode. */
export interface RenderContext {
  /** The tab that the actions go to, as the server names it. */
  tab?: string | number | undefined;
  /** The names of the server's tools; some come by option only. */
  tools: ReadonlySet<string>;
}

export function newRenderContext(client: { readonly tools: readonly { name: string }[] }): RenderContext {
  return { tools: new Set(client.tools.map(({ name }) => name)) };
}

/** Ends a plan from within. */
export class PlanEnd extends Error {
  readonly end: RenderEnd;

  constructor(end: RenderEnd) {
    super('sentence' in end ? end.sentence : 'done');
    this.end = end;
  }
}

export function unsupported(sentence: string): PlanEnd {
  return new PlanEnd({ status: 'unsupported', sentence });
}

export function failed(kind: string, sentence: string): PlanEnd {
  return new PlanEnd({ status: 'failed', kind, sentence });
}

/** The action itself. When it fails, what would follow is not done. */
export function* act(tool: string, args: Readonly<Record<string, unknown>>): Plan<ToolResult> {
  const result = yield { tool, args, purpose: 'act' };
  if (result.isError) throw new PlanEnd({ status: 'done' });
  return result;
}

/** Looking for something. When it fails, the action can't be tried. */
export function* locate(tool: string, args: Readonly<Record<string, unknown>>): Plan<ToolResult> {
  const result = yield { tool, args, purpose: 'locate' };
  if (result.isError) throw failed(result.errorKind ?? 'locate_failed', firstLines(result.text));
  return result;
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 4).join('\n').slice(0, 500);
}
