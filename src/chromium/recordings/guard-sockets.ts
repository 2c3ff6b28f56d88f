/// <reference lib="dom" />
/** Scripts that refuse connections which the browser itself would let past a network policy. */

/** Runs in a page, a frame or a worker, so it must not use anything from outside itself. */
export function removeTransport(): void {
  Reflect.deleteProperty(globalThis, 'WebTransport');
}

/**
 * Runs in a worker, so it must not use anything from outside itself: opens WebSockets to allowed hosts only. A worker has one global scope, so that
 * nothing in it can get the browser's own constructor back.
 */
export function guardSockets(allowHosts: readonly string[]): void {
  const Real = WebSocket;
  const isAllowed = (address: unknown): boolean => {
    const url = URL.parse(String(address), self.location.href);
    return url === null || allowHosts.includes(url.hostname);
  };
  // A function and not a subclass, whose prototype would lead to the browser's own constructor.
  function Guarded(this: unknown, ...args: [url: string | URL, protocols?: string | string[]]): WebSocket {
    if (!new.target) throw new TypeError("Failed to construct 'WebSocket': Please use the 'new' operator.");
    // The browser refuses this port without a connection, and reports it like any other failure to connect.
    const real = isAllowed(args[0]) ? args : ['ws://127.0.0.1:1/'];
    return Reflect.construct(Real, real, new.target);
  }
  const { CONNECTING, OPEN, CLOSING, CLOSED } = Real;
  Object.defineProperties(Guarded, {
    name: { value: 'WebSocket' },
    length: { value: 1 },
    prototype: { value: Real.prototype, writable: false },
  });
  Object.assign(Guarded, { CONNECTING, OPEN, CLOSING, CLOSED });
  const put = (on: object, name: string, value: unknown): void => {
    Object.defineProperty(on, name, { value, configurable: true, writable: true });
  };
  put(Real.prototype, 'constructor', Guarded);
  put(globalThis, 'WebSocket', Guarded);
  Reflect.deleteProperty(globalThis, 'WebSocketStream');
}
