/**
 * Addresses of web pages in text, and the form in which they are compared. Not compared are: http or https, `www.` before the host, the
 * case of the host, a default port, a slash at the end of the path, the order of query parameters, the way in which a character is
 * percent-encoded, and the fragment. What counts: host and port, the path with its case, every query parameter, a user name.
 */
export interface UrlRead {
  /** With the port, where it is not the scheme's own. */
  readonly host: string;
  readonly path: string;
  /** Sorted by name and value. */
  readonly query: readonly (readonly [string, string])[];
  readonly fragment: string;
  /** As it stands in the text. */
  readonly text: string;
}

const MAX_URL = 8000;
const URL_IN_TEXT = new RegExp(
  String.raw`(?<![\p{L}\p{N}@])(?:https?:\/\/|www\.)[^\s<>"'\x60{}|\\^]{1,${MAX_URL}}`,
  'giu',
);

/**
 * @example
 * findUrls('See [the page](https://www.example.com/a/?b=1).').map(({ host, path }) => host + path); // => ['example.com/a']
 */
export function findUrls(text: string): UrlRead[] {
  const found: UrlRead[] = [];
  for (const [match] of text.matchAll(URL_IN_TEXT)) {
    const read = readUrl(withoutTail(match));
    if (read) found.push(read);
  }
  return found;
}

/** A text that is an address and nothing else; the scheme may be missing, and the host where the text begins with `/`. */
export function readUrl(text: string): UrlRead | undefined {
  const given = text.trim();
  if (given === '' || given.length > MAX_URL || /\s/.test(given)) return undefined;
  const isPath = given.startsWith('/') && !given.startsWith('//');
  const full = isPath ? `http://${NO_HOST}${given}` : /^https?:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(full)) return undefined;
  const { protocol, host, hostname, username, password, pathname, searchParams, hash } = new URL(full);
  if (!/^https?:$/.test(protocol) || (!isPath && !/[.:]|^localhost$/.test(hostname))) return undefined;
  // A user name makes "https://example.com@evil.net" look like example.com: it counts as part of the host.
  const user = username === '' && password === '' ? '' : `${username}:${password}@`;
  const port = /:(\d+)$/.exec(host)?.[1];
  const ownHost = hostname.replace(/^www\./, '') + (port === undefined || DEFAULT_PORTS.has(port) ? '' : `:${port}`);
  return {
    host: isPath ? '' : user + ownHost,
    path: decoded(pathname).replace(/\/+$/, ''),
    query: [...searchParams].sort(byNameAndValue),
    fragment: decoded(hash.slice(1)),
    text: given,
  };
}

const NO_HOST = 'host.invalid';
/** Of both schemes, which are not told apart. */
const DEFAULT_PORTS: ReadonlySet<string> = new Set(['80', '443']);

function byNameAndValue([a, x]: readonly [string, string], [b, y]: readonly [string, string]): number {
  if (a !== b) return a < b ? -1 : 1;
  return x === y ? 0 : x < y ? -1 : 1;
}

/** `%7E` and `~` are the same character; an encoded slash stays encoded, because it separates nothing. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run).replace(/[/%?#]/g, (char) => encodeURIComponent(char));
    } catch {
      // Bytes that are not UTF-8 are compared as they are written.
      return run.toUpperCase();
    }
  });
}

const CLOSED_BY: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** A full stop or a bracket behind an address belongs to the sentence; a bracket that the address opened belongs to it. */
function withoutTail(match: string): string {
  // In `[text](address)` a second address may follow the first without a space.
  const next = match.indexOf('](');
  const text = next < 0 ? match : match.slice(0, next);
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let end = text.length;
  for (; end > 0; end--) {
    const last = text.charAt(end - 1);
    const open = CLOSED_BY[last];
    const isUnopened = open !== undefined && (counts.get(open) ?? 0) < (counts.get(last) ?? 0);
    if (!isUnopened && !/[.,;:!?*_~。，]/.test(last)) break;
    counts.set(last, (counts.get(last) ?? 0) - 1);
  }
  return text.slice(0, end);
}
