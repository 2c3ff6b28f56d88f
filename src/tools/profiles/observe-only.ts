/** Which calls only observe. */
import { isLocating } from '../canonical/locating-scripts.ts';
import type { Dialect, ServerProfile } from './profile.ts';

/** Tools that observe with some arguments and act with others. */
type Sometimes = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** @example observesBy(['browser_snapshot'], { browser_tabs: { action: ['list'] } }) */
export function observesBy(tools: readonly string[], sometimes: Sometimes = {}): ServerProfile['observes'] {
  const always = new Set(tools);
  return (tool, args) => {
    if (always.has(tool) || isLocating(tool, args)) return true;
    const conditions = Object.entries(sometimes[tool] ?? {});
    return conditions.length > 0 && conditions.every(([argument, values]) => values.includes(args[argument]));
  };
}

/** The calls by which the renderer of a dialect finds elements and tabs. They only observe, whether or not the server's configuration lists them. */
export const LOCATING_TOOLS: Readonly<Record<Dialect, { tools: readonly string[]; sometimes?: Sometimes }>> = {
  embedded: { tools: ['tabs_context'] },
  playwright: { tools: ['browser_snapshot'], sometimes: { browser_tabs: { action: ['list'] } } },
  'chrome-devtools': { tools: ['list_pages', 'take_snapshot'] },
  openchrome: { tools: ['tabs_context'] },
  browseros: {
    tools: ['list_pages', 'take_snapshot', 'snapshot'],
    sometimes: { tabs: { action: ['list', 'active'] } },
  },
  plain: { tools: [] },
};
