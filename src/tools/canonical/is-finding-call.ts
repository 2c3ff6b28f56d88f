/** Which calls of a server that is known only by its configuration look for an element. */
import type { ServerProfile } from '../profiles/profile.ts';
import { isLocatingScript } from './locating-scripts.ts';

/** Whether a call runs exactly the script that looks for an element, and so only observes. */
export function isFindingCall(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  actions: ServerProfile['actions'],
): boolean {
  const calls = actions?.evaluate ?? [];
  const [call] = calls;
  if (calls.length !== 1 || call?.tool !== tool) return false;
  return Object.entries(args).every(([name, value]) => {
    const given = call.args[name];
    if (typeof value !== 'string' || typeof given !== 'string' || !given.includes('{expression}'))
      return JSON.stringify(value) === JSON.stringify(given);
    const [before = '', after = ''] = given.split('{expression}');
    const isFramed = value.startsWith(before) && value.endsWith(after);
    return isFramed && isLocatingScript(value.slice(before.length, value.length - after.length));
  });
}
