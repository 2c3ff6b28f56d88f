/** A drawing of each kind of product, in its colour. */
import { type Html, html, trusted } from '../../../../fixtures/routes/html.ts';

const DRAWINGS: Readonly<Record<string, string>> = {
  Kettles: 'M14 26h28l4 26H10zM20 26c0-12 16-12 16 0M46 32l8-6',
  Lamps: 'M22 10h20l8 20H14zM32 30v22M22 54h20',
  Blankets: 'M10 16h44v30H10zM10 26h44M10 36h44M16 46v6M26 46v6M38 46v6M48 46v6',
  Baskets: 'M10 26h44l-6 26H16zM18 26c0-18 28-18 28 0M24 32l2 14M40 32l-2 14',
  Clocks: 'M32 10a22 22 0 1 0 .1 0M32 20v12l9 6',
  Mugs: 'M14 18h28v34H14zM42 26h8v16h-8',
};

export function picture(category: string, colour = ''): Html {
  const drawing = trusted(DRAWINGS[category] ?? '');
  return html`<span class="swatch" data-colour="${colour}" aria-hidden="true"><svg viewBox="0 0 64 64"><path d="${drawing}"/></svg></span>`;
}
