/**
 * The addresses of a network rule. They are compared without case, without a slash at the end and without what stands after `#`; the query
 * is kept apart. The episode asks here which requests it has to keep, and the grader which ones a rule is about.
 */
import { compileTextPattern, isTextPattern, type TextPattern } from './text-pattern.ts';

/** The values of each parameter, in the order of the address. */
export type Query = ReadonlyMap<string, readonly string[]>;

export interface RequestAddress {
  /** As it was sent: scheme, host and path. Patterns are matched on it. */
  readonly place: string;
  /** The same, for comparison. */
  readonly key: string;
  readonly isStaticFile: boolean;
  readonly query: Query;
}

export interface AddressRule {
  readonly url: string | readonly string[];
  readonly decodeBase64Query?: boolean | undefined;
}

export interface Alternative {
  /** The query of the address; empty for a pattern. */
  readonly query: Query;
  fits(address: RequestAddress): boolean;
}

/** Files that a page consists of. A pattern does not mean them; an address that is written out does. */
const STATIC_FILE = /\.(?:css|js|png|jpe?g|gif|svg|woff2?|ttf|ico|webp)$/;

/** Undefined where it is not the address of a request over the network: `data:`, `blob:`, `about:blank`. */
export function readAddress(url: string, decodeBase64Query = false): RequestAddress | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^(?:https?|wss?):$/.test(parsed.protocol)) return undefined;
  const inPath = decodeBase64Query ? queriesInPath(parsed.pathname) : { path: parsed.pathname, queries: [] };
  const place = `${parsed.protocol}//${parsed.host}${inPath.path.replace(/\/+$/, '')}`;
  const query = new Map<string, string[]>();
  for (const part of [...inPath.queries, parsed.search])
    for (const [name, value] of new URLSearchParams(part)) query.set(name, [...(query.get(name) ?? []), value]);
  return { place, key: decodedText(place).toLowerCase(), isStaticFile: STATIC_FILE.test(inPath.path), query };
}

/** The alternatives of a rule. An address without a scheme is relative to the start page. */
export function compileAddresses({ url, decodeBase64Query }: AddressRule, startUrl: string): Alternative[] {
  const urls = typeof url === 'string' ? [url] : url;
  return urls.map((each) => {
    if (isTextPattern(each)) {
      const pattern = patternOf(each);
      return { query: new Map(), fits: (address) => !address.isStaticFile && pattern.test(address.place) === true };
    }
    const wanted = readAddress(URL.parse(each, startUrl)?.href ?? each, decodeBase64Query);
    return { query: wanted?.query ?? new Map(), fits: ({ key }) => key === wanted?.key };
  });
}

/** The schema refuses what can't be compiled; a pattern that got past it fits nothing. */
function patternOf(source: string): TextPattern {
  const compiled = compileTextPattern(source);
  return compiled.ok ? compiled.pattern : { test: () => false };
}

/** The text itself where it has a % that begins no character. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shops put the page to return to, or the settings of a report, into the path: `/filter/ZnJvbT0x…/`. */
function queriesInPath(path: string): { path: string; queries: string[] } {
  const queries: string[] = [];
  const parts = path.split('/').filter((raw) => {
    const part = raw.replaceAll(/%3d/gi, '=');
    if (!/^[A-Za-z0-9_-]{4,}={0,2}$/.test(part)) return true;
    const decoded = Buffer.from(part, 'base64url').toString();
    if (!decoded.includes('=') || decoded.includes('\ufffd')) return true;
    queries.push(decoded.replace(/^[?&]+/, ''));
    return false;
  });
  return { path: parts.join('/'), queries };
}
