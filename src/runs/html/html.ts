/** HTML by template: whatever is put in is escaped, unless a template made it. Most of a report's text comes from strangers' pages. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Html | undefined | null | false | readonly Part[];

/** @example html`<p>${'<script>'}</p>`.text; // => '<p>&lt;script&gt;</p>' */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part === undefined || part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(render).join('') : escapeHtml(String(part));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
      // What no document may hold, and what turns the direction of the text around it, is shown and not obeyed.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '\ufffd')
      .toWellFormed()
  );
}
