/** How another process asks the one that writes a run to stop it: by a file in the run's folder, which no signal to a wrong process can replace. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const STOP_FILE = 'stop.request';
const LOOK_MS = 300;

export function requestStop(root: string): void {
  writeFileSync(path.join(root, STOP_FILE), '');
}

export interface StopRequests extends Disposable {
  /** Aborted on request. */
  readonly signal: AbortSignal;
}

/** A request from before is no request to this process. */
export function watchStopRequests(root: string): StopRequests {
  const file = path.join(root, STOP_FILE);
  rmSync(file, { force: true });
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    controller.abort();
  }, LOOK_MS).unref();
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      rmSync(file, { force: true });
    },
  };
}
