/** Which calls only look. */
import type { ServerProfile } from './profile.ts';

/** @example observesBy(['browser_snapshot'], { browser_tabs: { action: ['list'] } }) */
export function observesBy(
  tools: readonly string[],
  /** Tools that look with some arguments and act with others. */
  sometimes: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {},
): ServerProfile['observes'] {
  const always = new Set(tools);
  return (tool, args) => {
    if (always.has(tool)) return true;
    const conditions = Object.entries(sometimes[tool] ?? {});
    return conditions.length > 0 && conditions.every(([argument, values]) => values.includes(args[argument]));
  };
}
