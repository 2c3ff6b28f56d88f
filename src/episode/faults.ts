/** What breaks an episode off from outside its own course: a lost server or browser, a deadline, an agent that does not stop. */
import { errorFault, messageOf, WaymarkError } from '../errors/index.ts';
import type { NewEvent } from '../events/index.ts';
import { isWriteFailure } from '../journal/index.ts';
import type { ServerUnderTest } from './under-test.ts';

const SETTLE_MS = 300;

export type Stop = Omit<NewEvent<'stop'>, 'type'>;

/** How an episode that was broken off has ended. Throws what is not for an episode to swallow. */
export function faultOf(
  error: unknown,
  server: ServerUnderTest,
  deadline: AbortSignal,
  outside: AbortSignal | undefined,
): Stop {
  const because = (status: Stop['status'], reason: string, cause?: Stop['cause']): Stop => ({
    status,
    reason,
    ...(cause === undefined ? {} : { cause }),
  });
  if (outside?.aborted) {
    return { ...because('tool_error', 'The run was stopped from outside.', 'transport'), interrupted: true };
  }
  if (deadline.aborted) return because('timeout', 'The time of the task was used up.');
  if (!server.isBrowserAlive()) return because('tool_error', messageOf(error), 'browser');
  const fault = errorFault(error);
  if (fault === 'agent') return because('adapter_error', messageOf(error), 'adapter');
  if (fault === 'server') return because('tool_error', messageOf(error), 'server');
  if (fault === 'environment' && !isWriteFailure(error)) return because('tool_error', messageOf(error), 'browser');
  // A journal that can't be written, a bug of ours: not for an episode to swallow.
  throw error;
}

/** Rejects when the server or the browser is lost: nobody waits for an answer that can't come. */
export function losses(server: ServerUnderTest): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  void server.client.lost.then((reason) => {
    reject(new WaymarkError({ code: 'tool_server_lost', message: `The tool server was lost: ${reason}` }));
  });
  void server.browserGone.then((reason) => reject(browserLost(reason)));
  return promise;
}

export function browserLost(reason: string): WaymarkError {
  return new WaymarkError({ code: 'browser_lost', message: `The browser was lost: ${reason}.` });
}

export function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

/** An agent that ignores its signal can't be made to stop; its calls are refused, and nobody waits for it longer than this. */
export async function settled(driving: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SETTLE_MS);
  await Promise.race([driving.catch(() => {}), promise]);
  clearTimeout(timer);
}
