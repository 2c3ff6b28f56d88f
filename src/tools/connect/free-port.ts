/** A free port of loopback, for a server that has to be told one. */
import { createServer } from 'node:net';

/** Below the ports that systems give to connections by themselves, so that none of those takes it before the server listens. */
const FIRST = 20_000;
const COUNT = 12_000;
const TRIES = 50;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${FIRST} and ${FIRST + COUNT} was found in ${TRIES} tries.`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
