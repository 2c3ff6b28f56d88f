/** Which methods a path takes, so that a wrong one is told from a path that is not there. */
import type { RouterRoute } from 'hono/types';

/** @returns the methods in the order of the alphabet; none where there is nothing at the path. */
export function allowedMethods(routes: readonly RouterRoute[], path: string): string[] {
  const methods = new Set<string>();
  for (const { method, path: pattern } of routes) {
    // `ALL` is a middleware: it answers nothing by itself.
    if (method === 'ALL' || !matches(pattern, path)) continue;
    methods.add(method);
    // hono answers HEAD as GET, without the body.
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods].sort();
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.at(-1) === '*') return given.length >= wanted.length && startsWith(wanted.slice(0, -1), given);
  return given.length === wanted.length && startsWith(wanted, given);
}

function startsWith(wanted: readonly string[], given: readonly string[]): boolean {
  return wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]));
}
