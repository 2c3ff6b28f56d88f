/**
 * Makes the calls of a plan fit the server. A renderer writes the calls of the newest version of its server; an older version has other
 * names for some arguments. What a server takes is read from the schemas that it lists, never from its version number.
 */
import type { ToolResult } from '../connect/tool-client.ts';
import type { Dialect } from '../profiles/profile.ts';
import { fitDevtools } from './fit-devtools.ts';
import { fitPlaywright } from './fit-playwright.ts';
import { type Fit, type Plan, type RenderContext, type RenderedCall, unsupported } from './plan.ts';
import type { ToolArguments } from './tool-arguments.ts';

const FITS: Readonly<Record<Dialect, Fit>> = {
  embedded: asItIs,
  playwright: fitPlaywright,
  'chrome-devtools': fitDevtools,
  openchrome: asItIs,
  browseros: asItIs,
  plain: asItIs,
};

export function* fitted(plan: Plan<void>, dialect: Dialect, { takes }: RenderContext): Plan<void> {
  let next = plan.next();
  while (!next.done) {
    const call = next.value;
    next = plan.next(takes ? yield* checked(FITS[dialect](call, takes), takes) : yield call);
  }
}

function* asItIs(call: RenderedCall): Plan<ToolResult> {
  return yield call;
}

/** A call that the server would refuse is not made: it is the server that can't do it, and no mistake of the agent. */
function* checked(calls: Plan<ToolResult>, takes: ReadonlyMap<string, ToolArguments>): Plan<ToolResult> {
  let next = calls.next();
  while (!next.done) {
    const { tool, args } = next.value;
    const problem = problemOf(tool, args, takes.get(tool));
    if (problem !== undefined) throw unsupported(problem);
    next = calls.next(yield next.value);
  }
  return next.value;
}

function problemOf(tool: string, args: RenderedCall['args'], takes: ToolArguments | undefined): string | undefined {
  if (!takes) return `This version of the server has no tool "${tool}".`;
  const missing = takes.required.find((name) => args[name] === undefined);
  if (missing !== undefined) return `The server's tool "${tool}" requires "${missing}", which is not known here.`;
  const unknown = takes.isClosed ? Object.keys(args).find((name) => !takes.names.has(name)) : undefined;
  if (unknown !== undefined) return `The tool "${tool}" of this version of the server takes no "${unknown}".`;
  return undefined;
}
