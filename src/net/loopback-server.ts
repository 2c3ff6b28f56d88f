/** A server on a free port of 127.0.0.1, for one holder of a token. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { listen } from './listen.ts';
import { type AccessRefusal, refuseAccess } from './loopback-guard.ts';

export interface LoopbackOptions {
  /** Called for requests that have the token. */
  answer: (request: Request) => Promise<Response>;
  /** How a refusal is said in the protocol of this server. */
  refuse: (refusal: AccessRefusal) => Response;
  /** Default: any that is free. */
  port?: number | undefined;
  /** Default: a random one. */
  token?: string | undefined;
}

export interface LoopbackServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly token: string;
}

export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  // Loaded only here: most commands start no such server.
  const { createAdaptorServer } = await import('@hono/node-server');
  const token = options.token ?? randomBytes(32).toString('base64url');
  let port = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const refusal = refuseAccess(request.headers, { port, token });
    return refusal ? options.refuse(refusal) : options.answer(request);
  };
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  port = await listen(server, '127.0.0.1', options.port ?? 0);
  return {
    origin: `http://127.0.0.1:${port}`,
    token,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      // Streams that a client holds open would keep it from closing.
      server.closeAllConnections();
      await closed;
    },
  };
}
