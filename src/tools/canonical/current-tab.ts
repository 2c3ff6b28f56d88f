/** The tab that calls go to, as the server names it. */
import type { ServerProfile } from '../profiles/profile.ts';
import { failed, locate, type Plan, type RenderContext, unsupported } from './plan.ts';

const TARGET_ID = /\b[0-9A-F]{32}\b/i;
/** A line about a tab, by its number; the one that is current is marked in some way. */
const NUMBERED = /^\W*(\d+)\b.*$/gm;
const MARKED = /\b(?:current|selected|active)\b|^\s*[*>]/i;

/** Asks the server's own list, because a server opens and closes tabs by itself. */
export function* currentTab(profile: ServerProfile, context: RenderContext): Plan<string | number> {
  if (context.tab !== undefined) return context.tab;
  const { by, listTool, listArgs = {} } = profile.tabs;
  if (by === 'none' || listTool === undefined)
    throw unsupported(
      `It is not known how ${profile.name} names its tabs: its configuration needs "tabs" with a listTool.`,
    );
  const { text } = yield* locate(listTool, listArgs);
  const found = by === 'target-id' ? TARGET_ID.exec(text)?.[0] : numberIn(text);
  if (found === undefined) throw failed('page_gone', `The answer of ${listTool} names no tab.`);
  return found;
}

function numberIn(text: string): number | undefined {
  const lines = [...text.matchAll(NUMBERED)];
  const line = lines.find(([whole]) => MARKED.test(whole)) ?? lines[0];
  return line === undefined ? undefined : Number(line[1]);
}

/** The arguments of a server's own call, with the tab in place of `{{tab}}`. */
export function* withTab(
  args: Readonly<Record<string, unknown>>,
  profile: ServerProfile,
  context: RenderContext,
): Plan<Record<string, unknown>> {
  if (!JSON.stringify(args).includes('{{tab}}')) return { ...args };
  const tab = yield* currentTab(profile, context);
  return replaced(args, tab) as Record<string, unknown>;
}

function replaced(value: unknown, tab: string | number): unknown {
  if (value === '{{tab}}') return tab;
  if (typeof value === 'string') return value.replaceAll('{{tab}}', String(tab));
  if (Array.isArray(value)) return value.map((each) => replaced(each, tab));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, tab)]));
}
