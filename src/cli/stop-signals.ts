/**
 * The signals that stop a command. There is one listener for each from the first moment on, which is never replaced: a signal that has arrived
 * while the process was busy would be lost together with the listener that it was for.
 */
const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof CODES;

type Handler = (signal: StopSignal) => void;

let isListening = false;
/** Until a command runs it is not known what a signal means to it. */
let isHolding = false;
let held: StopSignal | undefined;
let handler: Handler | undefined;

/** From now on signals are kept until the command has begun. A second one ends the process at once. */
export function holdStopSignals(): void {
  isHolding = true;
  listen();
}

/** The command has begun: if it has not taken the signals by now, they end the process. */
export function releaseStopSignals(): void {
  isHolding = false;
  if (held !== undefined && handler === undefined) exitBy(held);
}

/** Takes the signals until it is disposed; a signal that was kept comes at once. */
export function takeStopSignals(taker: Handler): Disposable {
  listen();
  handler = taker;
  const early = held;
  held = undefined;
  if (early !== undefined) taker(early);
  return {
    [Symbol.dispose]: () => {
      if (handler === taker) handler = undefined;
    },
  };
}

/** By exit code instead of by the signal, so that exit hooks end the browsers that were started. */
export function exitBy(signal: StopSignal): never {
  process.exit(CODES[signal]);
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of Object.keys(CODES) as StopSignal[]) process.on(signal, () => arrived(signal));
}

function arrived(signal: StopSignal): void {
  if (handler) handler(signal);
  else if (isHolding && held === undefined) held = signal;
  else exitBy(signal);
}
