/** Finding a product: start page, categories with filters, search, offers. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { choice, pageNumber, pager, withQuery } from '../../../shared/controls.ts';
import { CATEGORIES, type Category, COLOURS, euros, type Product, VOUCHER } from './data.ts';
import { shopPage } from './page.ts';
import type { ShopHandler, ShopVisit } from './state.ts';
import { swatch } from './swatch.ts';

const PER_PAGE = 12;
const SORTS: readonly (readonly [string, string])[] = [
  ['', 'Our choice'],
  ['price', 'Price, lowest first'],
  ['rating', 'Rating, best first'],
  ['name', 'Name'],
];

type Products = ReadonlyMap<string, Product>;

export function catalogueRoutes(products: Products): Record<string, ShopHandler> {
  const all = [...products.values()];
  const categories = CATEGORIES.map((category): [string, ShopHandler] => [
    `GET /${category.id}`,
    (visit) =>
      categoryPage(
        visit,
        category,
        all.filter((product) => product.category === category),
      ),
  ]);
  return {
    'GET /': (visit) => startPage(visit, all),
    'GET /search': (visit) => searchPage(visit, all),
    'GET /offers': offersPage,
    'GET /delivery': deliveryPage,
    ...Object.fromEntries(categories),
  };
}

function startPage(visit: ShopVisit, all: readonly Product[]): Reply {
  return shopPage(visit, {
    title: 'Start',
    body: html`<h1>Everything for the night outside</h1>
<p>${all.length} products in ${CATEGORIES.length} categories, tried by people who sleep in them.</p>
<ul class="cards">${CATEGORIES.map(
      ({ id, name, feature }) =>
        html`<li><a href="/${id}">${swatch({
          colours: COLOURS.toSpliced(
            0,
            CATEGORIES.findIndex((category) => category.id === id),
          ).slice(0, 2),
        })}${name}</a><br><span class="dim">by ${feature.toLowerCase()}</span></li>`,
    )}</ul>
<h2>Popular this season</h2>
${cards(all.filter(({ rating }) => rating >= 49).slice(0, 8))}`,
  });
}

function categoryPage(visit: ShopVisit, category: Category, all: readonly Product[]): Reply {
  const { query } = visit;
  const wanted = (name: string): string => query.get(name) ?? '';
  const most = Number.parseInt(wanted('max'), 10);
  const least = Number.parseFloat(wanted('rating')) * 10;
  const found = all.filter(
    (product) =>
      (wanted('brand') === '' || product.brand === wanted('brand')) &&
      (wanted('feature') === '' || product.feature === wanted('feature')) &&
      (wanted('colour') === '' || product.colours.includes(wanted('colour'))) &&
      (Number.isNaN(most) || product.cents <= most * 100) &&
      (Number.isNaN(least) || product.rating >= least),
  );
  const brands = [...new Set(all.map(({ brand }) => brand))].sort();
  return shopPage(visit, {
    title: category.name,
    body: html`<h1>${category.name}</h1>
<div class="split">
<form class="filters" action="/${category.id}" aria-label="Filters">
${choice({ id: 'feature', label: category.feature, empty: 'Any' }, category.values, wanted('feature'))}
${choice({ id: 'colour', label: 'Colour', empty: 'Any' }, COLOURS, wanted('colour'))}
${choice({ id: 'brand', label: 'Brand', empty: 'Any' }, brands, wanted('brand'))}
<div class="field"><label for="max">Price up to (EUR)</label><input id="max" name="max" inputmode="numeric" value="${wanted('max')}"></div>
${choice(
  { id: 'rating', label: 'Rating', empty: 'Any' },
  [
    ['3', '3.0 and better'],
    ['3.5', '3.5 and better'],
    ['4', '4.0 and better'],
    ['4.5', '4.5 and better'],
  ],
  wanted('rating'),
)}
${choice({ id: 'sort', label: 'Order' }, SORTS, wanted('sort'))}
<button class="primary" id="apply">Apply filters</button>
<p><a href="/${category.id}">Clear filters</a></p>
</form>
${listing(`/${category.id}`, query, sorted(found, wanted('sort')))}
</div>`,
  });
}

function searchPage(visit: ShopVisit, all: readonly Product[]): Reply {
  const words = (visit.query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ name, category }) => {
    const text = `${name} ${category.name}`.toLowerCase();
    return words.length > 0 && words.every((word) => text.includes(word));
  });
  return shopPage(visit, {
    title: 'Search',
    body: html`<h1>Search: ${visit.query.get('q') ?? ''}</h1>${listing('/search', visit.query, found)}`,
  });
}

function listing(path: string, query: URLSearchParams, found: readonly Product[]): Html {
  const pages = Math.ceil(found.length / PER_PAGE);
  const current = pageNumber(query, pages);
  return html`<section><p id="count">${found.length === 1 ? '1 product' : `${found.length} products`}${pages > 1 ? `, page ${current} of ${pages}` : ''}</p>
${cards(found.slice((current - 1) * PER_PAGE, current * PER_PAGE))}
${pager(current, pages, (number) => withQuery(path, query, { page: String(number) }))}</section>`;
}

function cards(products: readonly Product[]): Html {
  return html`<ul class="cards">${products.map(
    (product) => html`<li>${swatch(product)}<h3><a href="/products/${product.id}">${product.name}</a></h3>
<span class="dim">${product.category.feature}: ${product.feature}</span><br>
<span class="price">${euros(product.cents)}</span> · ${(product.rating / 10).toFixed(1)} of 5</li>`,
  )}</ul>`;
}

function sorted(products: readonly Product[], by: string): readonly Product[] {
  if (by === 'price') return products.toSorted((a, b) => a.cents - b.cents);
  if (by === 'rating') return products.toSorted((a, b) => b.rating - a.rating);
  return by === 'name' ? products.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : products;
}

const offersPage: ShopHandler = (visit) =>
  shopPage(visit, {
    title: 'Offers',
    body: html`<h1>Offers</h1>
<article class="box"><h2>${VOUCHER.percent} per cent off for readers of this page</h2><p>Enter the voucher <strong>${VOUCHER.code}</strong> in the basket. One voucher for each order.</p></article>
<article class="box"><h2>Spring clearance has ended</h2><p>The voucher <s>MEADOW15</s> is no longer accepted.</p></article>`,
  });

const deliveryPage: ShopHandler = (visit) =>
  shopPage(visit, {
    title: 'Delivery',
    body: html`<h1>Delivery</h1><div class="scroll"><table><thead><tr><th>Way</th><th class="number">Price</th><th>Takes</th></tr></thead>
<tbody><tr><td>Parcel</td><td class="number">EUR 5.90</td><td>three days</td></tr><tr><td>Cargo bicycle</td><td class="number">EUR 8.90</td><td>one day, in town only</td></tr>
<tr><td>Collect in the shop</td><td class="number">free</td><td>two hours</td></tr></tbody></table></div>
<p>What is sold out may come again. What was withdrawn will not: its page names the notice.</p>`,
  });
