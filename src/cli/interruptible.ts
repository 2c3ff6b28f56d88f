/** Ctrl-C once: nothing new is begun, what runs is ended and written. Twice: at once; the exit hook ends the browsers. */
import { EXIT } from './exit-code.ts';

export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
}

export function interruptible(say: (line: string) => void): Interruption {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.harness);
    say('stopping; once more to stop at once');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  // The command line's own listeners end the process at once: until the run has ended, these take their place.
  const others = signals.map((signal) => ({ signal, listeners: process.listeners(signal) }));
  for (const signal of signals) process.removeAllListeners(signal).on(signal, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const { signal, listeners } of others) {
        process.off(signal, onSignal);
        for (const listener of listeners) process.on(signal, listener);
      }
    },
  };
}
