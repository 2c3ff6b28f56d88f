/** A product: its variants, what is on the shelf (loaded after the page), a size guide in a frame. */
import { type Html, html, trusted } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { choice, withQuery } from '../../../shared/controls.ts';
import { prose } from '../prose.ts';
import { euros, type Product } from './data.ts';
import { notFoundPage, shopPage } from './page.ts';
import { PRAISE, REVIEWS } from './phrases.ts';
import type { ShopHandler, ShopVisit } from './state.ts';
import { swatch } from './swatch.ts';

export function productRoutes(products: ReadonlyMap<string, Product>): Record<string, ShopHandler> {
  const withProduct =
    (handle: (visit: ShopVisit, product: Product) => Reply): ShopHandler =>
    (visit) => {
      const product = products.get(visit.params['id'] ?? '');
      return product ? handle(visit, product) : notFoundPage(visit);
    };
  return {
    'GET /products/:id': withProduct(productPage),
    'GET /products/:id/availability': withProduct(availability),
    'GET /products/:id/reviews': withProduct(reviews),
    'GET /products/:id/sizes': withProduct(sizeGuide),
  };
}

/** The variant that the query names, or the first one. */
function variantOf({ query }: ShopVisit, { colours, category }: Product): { colour: string; size: string } {
  const [colour, size] = [query.get('colour') ?? '', query.get('size') ?? ''];
  return {
    colour: colours.includes(colour) ? colour : (colours[0] ?? ''),
    size: category.sizes.includes(size) ? size : (category.sizes[0] ?? ''),
  };
}

function productPage(visit: ShopVisit, product: Product): Reply {
  const { colour, size } = variantOf(visit, product);
  const { category } = product;
  const path = `/products/${product.id}`;
  const isNewsletterDue = !visit.state.sawNewsletter;
  visit.state.sawNewsletter = true;
  return shopPage(visit, {
    title: product.name,
    body: html`<p><a href="/${category.id}">${category.name}</a></p><h1>${product.name}</h1>${swatch(product)}<p>${prose(product.id, PRAISE, 3).join(' ')}</p>
<div class="row"><p class="price">${euros(product.cents)}</p><p>${(product.rating / 10).toFixed(1)} of 5</p></div>
<dl class="pairs"><dt>${category.feature}</dt><dd>${product.feature}</dd><dt>Weight</dt><dd id="weight">${product.grams} g</dd><dt>Brand</dt><dd>${product.brand}</dd><dt>Colours</dt><dd>${product.colours.join(', ')}</dd></dl>
<form class="row" action="${path}" aria-label="Variant">
${choice({ id: 'colour', label: 'Colour' }, product.colours, colour)}${choice({ id: 'size', label: 'Size' }, category.sizes, size)}
<div class="field"><button id="show-variant">Show this variant</button></div></form>
<section class="box" id="availability" aria-live="polite" data-src="${withQuery(`${path}/availability`, new URLSearchParams(), { colour, size })}">Looking at the shelf…</section>
<form method="post" action="/basket/add" class="row" aria-label="Buy">
<input type="hidden" name="product" value="${product.id}"><input type="hidden" name="colour" value="${colour}"><input type="hidden" name="size" value="${size}">
${choice({ id: 'quantity', label: 'Quantity' }, ['1', '2', '3', '4', '5'], '1')}
<div class="field"><button class="primary" id="add">Add to basket: ${colour}, ${size}</button></div></form>
${category.sizes.length > 1 ? html`<h2>Size guide</h2><iframe title="Size guide" name="sizes" src="${path}/sizes"></iframe>` : ''}
<h2>Reviews</h2><section data-src="${path}/reviews" aria-live="polite">Fetching reviews…</section>`,
    ...(isNewsletterDue ? { dialog: newsletter } : {}),
  });
}

const newsletter: Html = html`<dialog${trusted(' data-modal')} aria-label="Newsletter"><h2>Letters from the tent</h2><p>Once a month, tips for cold nights. Shall we write to you?</p>
<div class="row"><button disabled>Yes (full for now)</button><button${trusted(' data-close')} id="no-newsletter">No, thank you</button></div></dialog>
`;

function availability(visit: ShopVisit, product: Product): Reply {
  const { colour, size } = variantOf(visit, product);
  const key = `${colour}/${size}`;
  const [pieces, notice] = [product.stock.get(key) ?? 0, product.withdrawn.get(key)];
  const text =
    pieces > 0
      ? html`<p class="good">On the shelf: ${pieces} in ${colour}, size ${size}.</p>`
      : notice === undefined
        ? html`<p class="problem">Sold out in ${colour}, size ${size}. More will come.</p>`
        : html`<p class="problem">Withdrawn in ${colour}, size ${size}. No more will come: notice ${notice}.</p>`;
  return { headers: [['content-type', 'text/html; charset=utf-8']], body: text.markup };
}

function reviews(_visit: ShopVisit, { id }: Product): Reply {
  const { markup } = html`<ul class="results">${['Anna', 'Bent', 'Cora'].map(
    (name) => html`<li><strong>${name}</strong><br>${prose(`${id} ${name}`, REVIEWS, 2).join(' ')}</li>`,
  )}</ul>`;
  return { headers: [['content-type', 'text/html; charset=utf-8']], body: markup };
}

function sizeGuide(visit: ShopVisit, { category }: Product): Reply {
  return shopPage(visit, {
    title: 'Size guide',
    bare: true,
    body: html`<p>Measure in the evening. Between two sizes, take the larger one.</p><table><tbody>${category.sizes.map(
      (size, index) => html`<tr><td>${size}</td><td>${24 + index * 3} to ${27 + index * 3} cm</td></tr>`,
    )}</tbody></table>`,
  });
}
