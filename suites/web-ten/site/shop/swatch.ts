/** The picture of a product: stripes of the colours that it comes in. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import type { Product } from './data.ts';

/** Colours of cloth, which are duller than those of a screen. */
const CLOTH: Readonly<Record<string, string>> = {
  black: '#2b2d30',
  blue: '#3b6ea8',
  brown: '#7c5a3c',
  green: '#4d7c4f',
  grey: '#8b9097',
  orange: '#d07a33',
  red: '#b0413e',
  yellow: '#d9b441',
};

export function swatch({ colours }: Pick<Product, 'colours'>): Html {
  const width = 100 / Math.max(1, colours.length);
  const stripes = colours.map(
    (colour, index) => `${CLOTH[colour] ?? 'gray'} ${index * width}% ${(index + 1) * width}%`,
  );
  return html`<span class="swatch" style="background: linear-gradient(115deg, ${stripes.join(', ')})"></span>`;
}
