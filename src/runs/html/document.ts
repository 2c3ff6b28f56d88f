/** A whole page as one file: the head that all pages share, with a policy that allows this file's own style and script and nothing else. */
import { Html, html } from './html.ts';
import { contentPolicy } from './policy.ts';

export interface DocumentParts {
  readonly title: string;
  readonly style: string;
  /** What stands in the body, its script included. */
  readonly body: Html;
  readonly script?: string;
}

export function htmlDocument({ title, style, body, script }: DocumentParts): string {
  const policy = contentPolicy(script === undefined ? { style } : { style, script });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}${
  script !== undefined &&
  html`
<script>${new Html(script)}</script>`
}
</body>
</html>
`.text;
}
