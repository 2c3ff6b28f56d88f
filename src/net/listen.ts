/** Starts a server on an address of this machine. A port that is taken is said in a sentence. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { messageOf, WaymarkError } from '../errors/index.ts';

/** @returns the port, which is chosen by the system where 0 is given. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  const listening = once(server, 'listening');
  server.listen(port, host);
  try {
    await listening;
  } catch (cause) {
    const taken = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new WaymarkError({
      code: taken ? 'port_in_use' : 'listen_failed',
      message: taken
        ? `Port ${port} of ${host} is in use.`
        : `The server can't listen on ${host}:${port}: ${messageOf(cause)}.`,
      hint: 'Choose another with --port, or any free one with --port 0.',
      cause,
    });
  }
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}
