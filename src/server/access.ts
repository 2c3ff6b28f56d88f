/** Who may access this server. Decided once, at start. */
import { isIP } from 'node:net';
import { WaymarkError } from '../errors/index.ts';

export interface Access {
  /** When set, every request needs it, except the two health checks. */
  token: string | undefined;
  /** Whether a Host header names this server. */
  isOurHost: (host: string) => boolean;
}

export interface AccessOptions {
  /** The address that the server binds to. */
  host: string;
  token?: string | undefined;
  /** Other host names of the server, for example behind a proxy. */
  names?: readonly string[];
}

const SHORTEST_TOKEN = 16;

export function decideAccess({ host, token, names = [] }: AccessOptions): Access {
  if (!isLoopback(host) && token === undefined) {
    throw new WaymarkError({
      code: 'usage_token_needed',
      message: `To be reached at ${host} by other machines, the server needs a token.`,
      hint: 'Add --token random, or set WAYMARK_TOKEN to a secret of your own. Without --host only this machine reaches it.',
    });
  }
  if (token !== undefined && token.length < SHORTEST_TOKEN) {
    throw new WaymarkError({
      code: 'usage_token_short',
      message: `A token has at least ${SHORTEST_TOKEN} characters.`,
      hint: 'Let one be made: --token random.',
    });
  }
  const known = new Set([host, ...names].map((name) => name.toLowerCase()));
  const anywhere = host === '0.0.0.0' || host === '::';
  return {
    token,
    isOurHost: (header) => {
      const name = hostName(header);
      if (name === undefined) return false;
      if (isLoopback(name) || known.has(name)) return true;
      // An IP address needs no DNS lookup, so it cannot be rebound.
      return anywhere && isIP(name) !== 0;
    },
  };
}

/** Without port and brackets, in lower case. */
function hostName(header: string): string | undefined {
  const url = `http://${header}/`;
  if (!URL.canParse(url) || /[/@?#\\\s]/.test(header)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
