/** Ctrl-C, a closed terminal or SIGTERM once: nothing new is begun, what runs is ended and written. Twice: at once; the exit hook ends the browsers. */
import { EXIT } from './exit-code.ts';
import { takeStopSignals } from './stop-signals.ts';

export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
}

/** A command that calls this before it first waits for something also hears a signal that came while it was loaded. */
export function interruptible(say: (line: string) => void): Interruption {
  const controller = new AbortController();
  const taken = takeStopSignals(() => {
    if (controller.signal.aborted) process.exit(EXIT.harness);
    controller.abort();
    say('stopping; once more to stop at once');
  });
  return { signal: controller.signal, [Symbol.dispose]: () => taken[Symbol.dispose]() };
}
