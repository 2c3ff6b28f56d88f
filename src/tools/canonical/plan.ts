/**
 * The calls that an action becomes, one after the other. A plan is a generator that yields the next call and receives its result. The caller
 * makes the calls, so that an episode's step counts, records and limits them like any other call.
 */
import type { ToolResult } from '../connect/tool-client.ts';
import { type ToolArguments, toolArguments } from './tool-arguments.ts';

export interface RenderedCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  /** `locate`: a call that only finds how the server names an element or a tab. `act`: the action itself. */
  purpose: 'locate' | 'act';
}

/** How a plan ended. The caller has seen the results of its calls, including failed ones. */
export type RenderEnd =
  | { status: 'done' }
  /** The server does not support the action; nothing was done. */
  | { status: 'unsupported'; sentence: string }
  /** The element, tab or page does not fit the action; the action itself was not tried. */
  | { status: 'failed'; kind: string; sentence: string };

export type Plan<T> = Generator<RenderedCall, T, ToolResult>;

/** State that is kept between the actions of one episode. */
export interface RenderContext {
  /** The tab that the actions go to, as the server names it. */
  tab?: string | number | undefined;
  /** The names of the server's tools. Some are only available with an option. */
  tools: ReadonlySet<string>;
  /** What each tool takes. Absent where the server's schemas are not known: then calls are those of its newest version. */
  takes?: ReadonlyMap<string, ToolArguments>;
}

/** Makes one call in the words of the server, after others where that needs some. */
export type Fit = (call: RenderedCall, takes: ReadonlyMap<string, ToolArguments>) => Plan<ToolResult>;

interface ListedTool {
  readonly name: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export function newRenderContext(client: { readonly tools: readonly ListedTool[] }): RenderContext {
  const tools = new Set(client.tools.map(({ name }) => name));
  const known = client.tools.flatMap(({ name, inputSchema }) =>
    inputSchema === undefined ? [] : [[name, toolArguments(inputSchema)] as const],
  );
  const isKnown = known.length > 0 && known.length === client.tools.length;
  return isKnown ? { tools, takes: new Map(known) } : { tools };
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

/** A call that acts. When it fails, the rest of the plan is not done. */
export function* act(tool: string, args: Readonly<Record<string, unknown>>): Plan<ToolResult> {
  const result = yield { tool, args, purpose: 'act' };
  if (result.isError) throw new PlanEnd({ status: 'done' });
  return result;
}

/** A call that locates. When it fails, the action cannot be tried. */
export function* locate(tool: string, args: Readonly<Record<string, unknown>>): Plan<ToolResult> {
  const result = yield { tool, args, purpose: 'locate' };
  if (result.isError) throw failed(result.errorKind ?? 'locate_failed', firstLines(result.text));
  return result;
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 4).join('\n').slice(0, 500);
}
