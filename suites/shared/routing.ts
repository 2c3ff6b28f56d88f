/** Requests to the sites of a suite, and how their paths are matched. */

export interface SiteRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The fields of a form that was sent. */
  readonly form: URLSearchParams;
}

/** The parts of a path that a pattern names with a colon; undefined where the path does not fit. */
export function matchPath(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (wanted.startsWith(':')) params[wanted.slice(1)] = part;
    else if (wanted !== part) return undefined;
  }
  return params;
}

/** Only a path of the same site: a form must not redirect to another site. */
export function ownPath(given: string | null): string {
  return given?.startsWith('/') && !given.startsWith('//') ? given : '/';
}
