/**
 * Which requests could change something elsewhere, and which hosts a task may do that on. By default public hosts are protected: names that no
 * public server can have, this machine and private networks are not.
 */
import { isIP } from 'node:net';
import { addressClass } from '../../net/address-class.ts';

/** Safe by RFC 9110: they ask, and change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Names that the public DNS does not have: RFC 6761, RFC 6762, RFC 8375, and what ICANN keeps free for private use. */
const PRIVATE_NAMES = /(^|\.)(test|example|invalid|localhost|local|internal|home\.arpa)$/;

/** What kinds of requests can have another method than GET; the browser asks for all others by GET alone. */
export const WRITING_TYPES = ['Document', 'XHR', 'Fetch', 'Ping', 'CSPViolationReport', 'Other'] as const;

/** Patterns of addresses for the emulated network, which knows no methods: on hosts that are not public, and on these, sockets may be opened. */
export function socketConditions(hosts: readonly string[]): { urlPattern: string; offline?: true }[] {
  const names = ['test', 'example', 'invalid', 'localhost', 'local', 'internal', 'home.arpa'];
  const local = [...names.flatMap((name) => [name, `*.${name}`]), '127.*', '10.*', '192.168.*', '[::1]', ...hosts];
  const open = local.map((host) => ({ urlPattern: `*://${host}:*/*` }));
  return [...open, ...['ws', 'wss'].map((scheme) => ({ urlPattern: `${scheme}://*:*/*`, offline: true as const }))];
}

export function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method.toUpperCase());
}

/**
 * `hosts`: names, `*.name` for all below it, or `*`.
 *
 * @example
 * mayWriteTo('https://shop.com/orders', ['*.shop.com']); // => false
 * mayWriteTo('http://127.0.0.1:8080/', []); // => true
 */
export function mayWriteTo(url: string, hosts: readonly string[]): boolean {
  // A blob or a data URL is in the page itself.
  if (!/^(https?|wss?):/i.test(url) || !URL.canParse(url)) return true;
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
  return !isPublicHost(host) || hosts.some((pattern) => fits(host, pattern.toLowerCase()));
}

function fits(host: string, pattern: string): boolean {
  return pattern === '*' || (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern);
}

function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return !['loopback', 'private'].includes(addressClass(host));
  return host.includes('.') && !PRIVATE_NAMES.test(host);
}
