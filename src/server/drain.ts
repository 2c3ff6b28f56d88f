/**
 * Stops an HTTP server without aborting requests that are being answered.
 * Node's own `closeIdleConnections` leaves connections that have not sent a request yet, such as the spare ones that browsers
 * open. Each of them would delay the stop until its timeout.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Watches a server from its start. The returned function stops it: idle connections at once, and busy ones within the given time. */
export function drainable(server: Server): (withinMs: number) => Promise<void> {
  const underWay = new Map<Socket, number>();
  let ending = false;
  server.on('connection', (socket: Socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      if (underWay.has(socket)) underWay.set(socket, left);
      // Half closed first, so that written data is still sent.
      if (ending && left === 0) socket.end();
    });
  });
  return async (withinMs) => {
    ending = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, requests] of underWay) {
      if (requests === 0) socket.destroy();
    }
    const timer = setTimeout(() => server.closeAllConnections(), withinMs);
    await closed;
    clearTimeout(timer);
  };
}
