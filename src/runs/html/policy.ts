/** Even if something of a page were to slip through unescaped, the browser would neither run it nor fetch anything for it. */
import { createHash } from 'node:crypto';

export interface PolicyParts {
  /** The texts of the one style sheet and of the one script; without a script, none runs. */
  style: string;
  script?: string;
  /** Pictures that are files of the run's folder are shown, and the script may load the attempts of a large run from there. */
  isViewer?: boolean;
}

export function contentPolicy({ style, script, isViewer = false }: PolicyParts): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = script === undefined ? '' : ` script-src ${hash(script)}${isViewer ? " 'strict-dynamic'" : ''};`;
  const pictures = isViewer ? "data: 'self' file:" : 'data:';
  return `default-src 'none'; img-src ${pictures}; style-src ${hash(style)};${scripts} base-uri 'none'; form-action 'none'`;
}
