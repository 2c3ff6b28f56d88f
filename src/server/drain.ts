/**
 * Ending an HTTP server without cutting anybody off.
 * Node's own `closeIdleConnections` leaves connections that have not asked anything yet, such as the spare ones that browsers
 * open; each would hold the end up for its whole time.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Watches a server from its beginning. The function that it gives ends it: at once for who waits, and within so long for who is answered. */
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
      // Half closed first: what was written is still sent.
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
