/**
 * The check before every request to an address from user input (a provider's base URL). It refuses this machine,
 * special network addresses and cloud metadata services.
 * Connect to the addresses that it returns (`pinnedFetch`), because a second lookup of the name may give another address.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { type ErrorCode, messageOf, WaymarkError } from '../errors/index.ts';
import { type AddressClass, addressClass } from './address-class.ts';

export interface UrlGuardOptions {
  /** Address classes that are allowed in addition to public and private ones. `loopback`: a model on this machine, or tests. */
  allow?: readonly AddressClass[];
  /** Refuse private networks too. */
  publicOnly?: boolean;
  /** Replaced in tests. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

/** @returns the parsed URL and the addresses that its name resolves to now. */
export async function assertPublicUrl(
  text: string,
  options: UrlGuardOptions = {},
): Promise<{ url: URL; addresses: LookupAddress[] }> {
  const url = parse(text);
  // The URL parser has normalised unusual notations (0x7f.1, 2130706433).
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const addresses = await addressesOf(host, options);
  for (const { address } of addresses) assertAllowed(host, address, options);
  return { url, addresses };
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw refused('url_invalid', `"${text.slice(0, 200)}" is not an http or https address.`);
  }
  if (url.username || url.password) {
    throw refused(
      'url_invalid',
      'The address holds a user name or a password.',
      'Give keys by the name of an environment variable.',
    );
  }
  return url;
}

async function addressesOf(host: string, options: UrlGuardOptions): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family) return [{ address: host, family }];
  // Metadata names of clouds are refused before any lookup; `localhost` is this machine without a lookup.
  if (/(^|\.)metadata(\.google)?\.internal$|^metadata$/i.test(host)) assertAllowed(host, '169.254.169.254', options);
  if (/(^|\.)localhost$/i.test(host)) return [{ address: '127.0.0.1', family: 4 }];
  try {
    return await (options.resolve ?? lookup)(host);
  } catch (cause) {
    throw refused('url_unresolved', `The host ${host} can't be found: ${messageOf(cause)}.`, 'Is the name right?');
  }
}

const lookup = (host: string) => dns.lookup(host, { all: true });

function assertAllowed(host: string, address: string, { allow = [], publicOnly = false }: UrlGuardOptions): void {
  const kind = addressClass(address);
  if (kind === 'public' || allow.includes(kind) || (kind === 'private' && !publicOnly)) return;
  const where = host === address ? host : `${host} (${address})`;
  throw refused(
    'url_refused',
    `${where} is a ${kind} address, and is not called from here.`,
    kind === 'loopback' ? 'For a model on this machine, start the server with --allow-local-providers.' : undefined,
  );
}

function refused(code: ErrorCode, message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code, message, ...(hint ? { hint } : {}) });
}
