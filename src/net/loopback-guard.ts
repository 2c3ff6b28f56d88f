/**
 * Who may call a server that listens on this machine only. The token keeps out other programs of this machine; Host keeps out names that
 * were bound to the loopback address by DNS; Origin keeps out pages of the browser under test.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export interface LoopbackAccess {
  readonly port: number;
  readonly token: string;
}

export interface AccessRefusal {
  readonly status: 401 | 403 | 421;
  readonly message: string;
}

/** Why a request is refused; undefined where it may pass. */
export function refuseAccess(headers: Headers, { port, token }: LoopbackAccess): AccessRefusal | undefined {
  const host = headers.get('host') ?? '';
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return { status: 421, message: 'The Host header does not name this server.' };
  const origin = headers.get('origin');
  if (origin !== null && origin !== `http://${host}`)
    return { status: 403, message: 'A page of another site may not send requests to this server.' };
  const given = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (given === undefined || !isSameSecret(given, token))
    return { status: 401, message: 'This server asks for its token: Authorization: Bearer <token>.' };
  return undefined;
}

/** Compares in constant time, for any lengths. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
