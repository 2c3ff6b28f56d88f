/** Even if something of a page were to slip through unescaped, the browser would neither run it nor fetch anything for it. */
import { createHash } from 'node:crypto';

/** The texts of the one style sheet and of the one script; without a script, none runs. */
export function contentPolicy({ style, script }: { style: string; script?: string }): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = script === undefined ? '' : ` script-src ${hash(script)};`;
  return `default-src 'none'; img-src data:; style-src ${hash(style)};${scripts} base-uri 'none'; form-action 'none'`;
}
