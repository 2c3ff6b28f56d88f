/** Renders canonical actions by the `actions` of a server's configuration: each action is one call or several, with placeholders in the arguments. */
import type { MappedCall, ServerProfile } from '../profiles/profile.ts';
import type { CanonicalAction } from './action.ts';
import { currentTab } from './current-tab.ts';
import { type Found, find } from './mapped-find.ts';
import { act, type Plan, type RenderContext, unsupported } from './plan.ts';
import { describeTarget, type Target } from './target.ts';

/** `{name}`, or `{json:name}` for a literal inside a script. */
const PLACEHOLDER = /\{(json:)?([a-zA-Z]+)\}/g;
/** What the harness may have to look for in the page. */
const FOUND = ['selector', 'x', 'y', 'value', 'toSelector', 'toX', 'toY'];
/** Fields that change what an action does: a map that does not mention one cannot do it. */
const CHANGES: Readonly<Record<string, unknown>> = {
  button: 'left',
  clickCount: 1,
  modifiers: undefined,
  offset: undefined,
  append: false,
  direction: undefined,
  gone: false,
};

type Values = Record<string, unknown>;

export function* renderMapped(
  action: CanonicalAction,
  calls: readonly MappedCall[],
  profile: ServerProfile,
  context: RenderContext,
): Plan<void> {
  const used = new Set(calls.flatMap(({ args }) => [...namesIn(args)]));
  for (const [field, usual] of Object.entries(CHANGES)) {
    const given: unknown = action[field as keyof typeof action];
    if (given !== undefined && given !== usual && !used.has(field))
      throw unsupported(`The actions of ${profile.name} do not say how "${action.action}" is done with "${field}".`);
  }
  const values = yield* valuesOf(action, used, profile, context);
  const missing = [...used].find((name) => KNOWN.has(name) && values[name] === undefined);
  if (missing !== undefined) {
    const target = 'target' in action && action.target ? ` for the ${describeTarget(action.target)}` : '';
    throw unsupported(
      `The action "${action.action}" of ${profile.name} needs {${missing}}, which is not known${target}.`,
    );
  }
  for (const { tool, args } of calls) yield* act(tool, filled(args, values) as Values);
  if (action.action !== 'type' || action.submit !== true || used.has('submit')) return;
  const press = profile.actions?.press;
  if (!press) throw unsupported(`The actions of ${profile.name} have no "press", which ends a text with Enter.`);
  for (const { tool, args } of press) yield* act(tool, filled(args, { key: 'Enter' }) as Values);
}

function* valuesOf(
  action: CanonicalAction,
  used: ReadonlySet<string>,
  profile: ServerProfile,
  context: RenderContext,
): Plan<Values> {
  const { target, to, ...plain } = { target: undefined, to: undefined, ...action };
  const values: Values = { ...plain };
  if (action.action === 'select') values['option'] = action.options[0];
  if (action.action === 'upload') values['file'] = action.files[0];
  if (used.has('tab')) values['tab'] = yield* currentTab(profile, context);
  if (target) Object.assign(values, yield* placeOf(target, used, ['selector', 'x', 'y', 'value'], profile));
  if (values['values'] !== undefined && action.action === 'select')
    values['value'] = (values['values'] as Record<string, string>)[action.options[0] ?? ''];
  if (to) {
    const { selector, x, y } = yield* placeOf(to, used, ['toSelector', 'toX', 'toY'], profile);
    Object.assign(values, { toSelector: selector, toX: x, toY: y });
  }
  return values;
}

/** What the target says itself; the rest is looked for in the page, where the map needs it. */
function* placeOf(
  target: Target,
  used: ReadonlySet<string>,
  wanted: readonly string[],
  profile: ServerProfile,
): Plan<Found & { ref?: string | undefined }> {
  const { at, ref, selector, nth } = target;
  const isPlain = selector !== undefined && nth === undefined && !selector.includes('>>>');
  const known = {
    ...(isPlain ? { selector } : {}),
    ...(at ? { x: at[0], y: at[1] } : {}),
    ...(ref === undefined ? {} : { ref }),
  };
  const names = wanted
    .filter((name) => used.has(name))
    .map((name) => name.replace(/^to(.)/, (_, c: string) => c.toLowerCase()));
  const evaluate = profile.actions?.evaluate;
  const isKnown = names.every((name) => name in known);
  if (isKnown || at || ref !== undefined || evaluate?.length !== 1 || !evaluate[0]) return known;
  const [call] = evaluate;
  const fill = (expression: string): MappedCall => ({
    tool: call.tool,
    args: filled(call.args, { expression }) as Values,
  });
  return { ...(yield* find(target, call, fill)), ...known };
}

/** The placeholders that actions can fill; others are text of the server's own. */
const KNOWN = new Set([
  ...[
    'url',
    'text',
    'key',
    'option',
    'options',
    'expression',
    'ms',
    'accept',
    'promptText',
    'file',
    'files',
    'tab',
    'ref',
  ],
  ...['direction', 'amount', 'operation', 'title', ...FOUND],
]);
/** Where an action may leave them out. */
const OPTIONAL = new Set(['button', 'clickCount', 'modifiers', 'append', 'submit', 'gone', 'timeoutMs', 'slowly']);

function namesIn(value: unknown): Set<string> {
  return new Set([...JSON.stringify(value).matchAll(PLACEHOLDER)].map(([, , name = '']) => name));
}

/** A text that is one placeholder becomes the value itself; a field whose optional value is missing is left out. */
function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, values));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, each]) => [name, filled(each, values)] as const);
    return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  }
  if (typeof value !== 'string') return value;
  const whole = /^\{([a-zA-Z]+)\}$/.exec(value)?.[1];
  if (whole !== undefined && (KNOWN.has(whole) || OPTIONAL.has(whole))) return values[whole];
  return value.replace(PLACEHOLDER, (text, json: string | undefined, name: string) => {
    if (!KNOWN.has(name) && !OPTIONAL.has(name)) return text;
    return json === undefined ? String(values[name] ?? '') : JSON.stringify(values[name] ?? null);
  });
}
