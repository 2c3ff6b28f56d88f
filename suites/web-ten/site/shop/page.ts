/** The frame of the shop's pages. */
import { html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { type Brand, type Content, page } from '../layout.ts';
import { CATEGORIES } from './data.ts';
import type { ShopVisit } from './state.ts';

const BRAND: Brand = {
  name: 'Northlight Outfitters',
  motto: 'Everything for the night outside',
  look: 'shop',
  links: [
    ...CATEGORIES.map(({ id, name }) => [`/${id}`, name] as const),
    ['/offers', 'Offers'],
    ['/delivery', 'Delivery'],
  ],
  search: { path: '/search', label: 'Search products' },
  footer: 'Prices include tax. You settle the bill when the goods are handed over.',
};

export function shopPage(visit: ShopVisit, content: Content): Reply {
  const count = visit.state.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const aside = html`<a class="button" id="basket-link" href="/basket">Basket (${count})</a>`;
  return page(BRAND, visit, { aside, ...content });
}

export function notFoundPage(visit: ShopVisit): Reply {
  return shopPage(visit, {
    title: 'Not found',
    status: 404,
    body: html`<h1>This page does not exist</h1><p>Search for a product, or go to the <a href="/">start page</a>.</p>`,
  });
}
