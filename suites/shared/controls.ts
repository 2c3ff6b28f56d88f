/** Parts of pages that the sites of all suites share: lists of pages, and fields of forms. */
import { type Html, html, trusted } from '../../fixtures/routes/html.ts';

/** Links to the pages of a long list. `address` keeps the filters. */
export function pager(current: number, count: number, address: (number: number) => string): Html {
  if (count < 2) return html``;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return html`<nav class="pager" aria-label="Pages">
${current > 1 ? html`<a rel="prev" href="${address(current - 1)}">Previous</a>` : ''}
${numbers.map((number) =>
  number === current
    ? html`<span aria-current="page">${number}</span>`
    : html`<a href="${address(number)}">${number}</a>`,
)}
${current < count ? html`<a rel="next" href="${address(current + 1)}">Next page</a>` : ''}
</nav>`;
}

/** The page number of a query, within bounds. */
export function pageNumber(query: URLSearchParams, count: number): number {
  return Math.min(Math.max(1, count), Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1));
}

/** The query with some of its fields changed; an empty text removes one. */
export function withQuery(path: string, query: URLSearchParams, changes: Readonly<Record<string, string>>): string {
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') all.delete(name);
    else all.set(name, value);
  }
  return all.size === 0 ? path : `${path}?${all}`;
}

/** A list to choose from. An option is its own label, or a value with a label. */
export function choice(
  field: { id: string; label: string; empty?: string },
  options: readonly (string | readonly [value: string, label: string])[],
  chosen: string,
): Html {
  return html`<div class="field"><label for="${field.id}">${field.label}</label>
<select id="${field.id}" name="${field.id}">${field.empty === undefined ? '' : html`<option value="">${field.empty}</option>`}${options.map(
    (option) => {
      const [value, label] = typeof option === 'string' ? [option, option] : option;
      return html`<option value="${value}"${value === chosen ? trusted(' selected') : ''}>${label}</option>`;
    },
  )}</select></div>`;
}

export interface TextField {
  id: string;
  label: string;
  hint?: string;
  /** What is wrong with what was entered. */
  problem?: string | undefined;
}

export function textField({ id, label, hint, problem }: TextField, value: string): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${id}" autocomplete="off" value="${value}"${problem === undefined ? '' : trusted(' aria-invalid="true"')}>${
    hint === undefined ? '' : html`<small>${hint}</small>`
  }${problem === undefined ? '' : html`<p class="error" id="${id}-error">${problem}</p>`}</div>`;
}

export function check(
  name: string,
  id: string,
  label: string,
  checked: boolean,
  value = 'yes',
  type = 'checkbox',
): Html {
  return html`<label class="check"><input type="${type}" name="${name}" id="${id}" value="${value}"${checked ? trusted(' checked') : ''}> ${label}</label>`;
}

/**
 * How many were found, in words; a search that finds nothing says so.
 *
 * @example
 * foundLine(1, 'product'); // => <p id="found">1 product</p>
 */
export function foundLine(count: number, thing: string): Html {
  return html`<p id="found">${count} ${count === 1 ? thing : `${thing}s`}</p>${
    count === 0 ? html`<p class="dim">Nothing fits. Try fewer words or filters.</p>` : ''
  }`;
}
