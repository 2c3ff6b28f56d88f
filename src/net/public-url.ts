/**
 * The check before every request to an address from user input (a provider's base URL). It refuses this machine, private networks,
 * special network addresses and cloud metadata services, unless they are allowed.
 * Connect to the addresses that it returns (`pinnedFetch`), because a second lookup of the name may give another address.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { type ErrorCode, messageOf, WaymarkError } from '../errors/index.ts';
import { type AddressClass, addressClass } from './address-class.ts';

export interface UrlGuardOptions {
  /** Address classes that are allowed in addition to public ones. */
  allow?: readonly Extract<AddressClass, 'loopback' | 'private'>[];
  /**
   * Hosts that are allowed by name. A name may stand for an address of this machine or of a private network; a link-local or a metadata address is
   * called only where the address itself is listed, since whoever answers for a name could make it stand for one.
   */
  hosts?: readonly string[];
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
  const host = bare(url.hostname);
  const addresses = await addressesOf(host, options);
  for (const { address } of addresses) assertAllowed(host, address, options);
  return { url, addresses };
}

/** Without the brackets of an IPv6 address and the dot at the end of a name. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
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

function assertAllowed(host: string, address: string, { allow = [], hosts = [] }: UrlGuardOptions): void {
  const kind = addressClass(address);
  const isNear = kind === 'loopback' || kind === 'private';
  if (kind === 'public' || (isNear && allow.includes(kind))) return;
  const isListed = hosts.some((listed) => hostOf(listed) === host);
  if (isListed && (isNear || (host === address && kind !== 'special'))) return;
  const where = host === address ? host : `${host} (${address})`;
  throw refused('url_refused', `${where} is a ${kind} address, and is not called from here.`, hintFor(kind, host));
}

/** As the URL parser writes it: `127.1` and `[::1]` are `127.0.0.1` and `::1`. */
function hostOf(listed: string): string {
  const text = isIP(listed) === 6 ? `[${listed}]` : listed;
  return URL.canParse(`http://${text}/`) ? bare(new URL(`http://${text}/`).hostname) : listed;
}

function hintFor(kind: AddressClass, host: string): string | undefined {
  if (kind === 'special') return undefined;
  const byName = `start the server with --allow-provider-hosts ${host}`;
  if (kind === 'loopback') return `For a model on this machine, start the server with --allow-local-providers.`;
  if (kind === 'private') return `If this host is meant, ${byName}.`;
  return isIP(host) ? `It can be read for secrets of this machine. If it is meant all the same, ${byName}.` : undefined;
}

function refused(code: ErrorCode, message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code, message, ...(hint ? { hint } : {}) });
}
