/**
 * What an agent did, as facts: the tool, the action, its target, whether it failed, and the page that the witness saw afterwards. The agent's own words
 * are left out, because judges believe them: in WebJudge's experiments they raised the number of false passes.
 */
import { type EventOf, isStep, type JournalEvent } from '../../events/index.ts';

/** Fields of a call that say what it acts on. Others may be the agent's words: `element` of Playwright's server is its description of a target. */
const FACTS = new Set(
  'action at attribute button checked coordinate direction downloads end files from fields filters fullPage height index key keys method mode modifiers name nth number option options pageId path query ref refs role selector selectors start submit tab tabId target text to type uid url value values width x y'.split(
    ' ',
  ),
);
const MAX_TEXT = 500;
const MAX_ACTIONS = 300;

/** One line for each step, from 1. Of a long attempt, the last ones. */
export function actionHistory(events: readonly JournalEvent[]): string[] {
  const steps = events.filter((event) => event.type === 'tool_call').filter(isStep);
  const results = byCall(events, 'tool_result');
  const seen = byCall(events, 'evidence');
  const lines = steps.map((call, index) => {
    const failed = results.get(call.callId)?.isError ? ' (failed)' : '';
    const url = seen.get(call.callId)?.url;
    return `${index + 1}. ${describe(call)}${failed}${url === undefined ? '' : ` → ${url.slice(0, MAX_TEXT)}`}`;
  });
  const left = lines.length - MAX_ACTIONS;
  return left > 0 ? [`(The first ${left} steps are left out.)`, ...lines.slice(left)] : lines;
}

function describe({ tool, canonical, arguments: given }: EventOf<'tool_call'>): string {
  const facts = factsOf(canonical ?? given);
  return facts === undefined ? tool : `${tool} ${JSON.stringify(facts)}`;
}

/** Plain values of the fields above, in objects and lists too. */
function factsOf(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.slice(0, 50).map(factsOf);
  if (typeof value !== 'object' || value === null) return undefined;
  const kept = Object.entries(value).filter(([name]) => FACTS.has(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map(([name, field]) => [name, factsOf(field)]));
}

function byCall<T extends 'tool_result' | 'evidence'>(
  events: readonly JournalEvent[],
  type: T,
): Map<string, EventOf<T>> {
  const found = events.filter((event): event is EventOf<T> => event.type === type);
  return new Map(found.flatMap((event) => (event.callId === undefined ? [] : [[event.callId, event] as const])));
}
