/** What can be lost under an attempt, and an agent that does not stop. */
import { WaymarkError } from '../errors/index.ts';
import { ATTEMPT_LIMITS } from './limits.ts';

export function serverLost(reason: string): WaymarkError {
  return new WaymarkError({ code: 'tool_server_lost', message: `The tool server was lost: ${reason}` });
}

export function browserLost(reason: string): WaymarkError {
  return new WaymarkError({ code: 'browser_lost', message: `The browser was lost: ${reason}.` });
}

/** `byServer`: the server has sent the command that makes a page crash. */
export function pageCrashed(byServer: boolean): WaymarkError {
  return byServer
    ? new WaymarkError({ code: 'page_crashed_by_server', message: 'The tool server made its page crash.' })
    : new WaymarkError({ code: 'page_crashed', message: 'The page crashed: its renderer has ended.' });
}

/** An agent that ignores its signal can't be made to stop; its calls are refused, and it is waited for no longer than this. */
export async function settled(running: Promise<unknown>, limitMs: number = ATTEMPT_LIMITS.settleMs): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  // How the agent ended is known from the attempt; here it is only waited for.
  await Promise.race([running.catch(() => {}), promise]);
  clearTimeout(timer);
}
