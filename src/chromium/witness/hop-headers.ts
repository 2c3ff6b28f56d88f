/** The headers of one request and of its response, as far as the browser has told them. */

type Headers = Readonly<Record<string, string>>;

export interface HopHeaders {
  /** As the page asked for it; the browser adds to them. */
  asked?: Headers;
  /** As they were sent. */
  sent?: Headers;
  received?: Headers;
}

export function headersNamed(
  names: ReadonlySet<string>,
  { asked = {}, sent = {} }: HopHeaders,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of [...Object.entries(asked), ...Object.entries(sent)]) {
    const key = name.toLowerCase();
    if (names.has(key)) found[key] = value;
  }
  return found;
}

/** The values of the cookies that the response sets; one that it sets twice has the last. */
export function cookiesSet(names: ReadonlySet<string>, { received = {} }: HopHeaders): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    if (name.toLowerCase() !== 'set-cookie') continue;
    // The browser joins several of them with a line break.
    for (const line of value.split('\n')) {
      const [, cookie = '', content = ''] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (names.has(cookie.trim())) found[cookie.trim()] = content.trim();
    }
  }
  return found;
}

export function headerOf(headers: Headers, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
