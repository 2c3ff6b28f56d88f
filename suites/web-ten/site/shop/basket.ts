/** The basket. Its address has a reference that depends on what is in it. */
import { html } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { euros, type Product, VOUCHER } from './data.ts';
import { notFoundPage, shopPage } from './page.ts';
import { basketReference, type ShopHandler, type ShopVisit } from './state.ts';

type Products = ReadonlyMap<string, Product>;

export function basketRoutes(products: Products): Record<string, ShopHandler> {
  return {
    'GET /basket': ({ state }) => seeOther(`/basket/${basketReference(state.lines)}`),
    'GET /basket/:reference': (visit) => basketPage(visit, products),
    'POST /basket/add': (visit) => add(visit, products),
    'POST /basket/remove': ({ state, form }) => {
      state.lines = state.lines.filter((_, index) => String(index) !== form.get('line'));
      return seeOther('/basket');
    },
    'POST /basket/voucher': (visit) => {
      const code = (visit.form.get('voucher') ?? '').trim().toUpperCase();
      if (code !== VOUCHER.code) return basketPage(visit, products, 'This voucher is not accepted.');
      visit.state.voucher = code;
      return seeOther('/basket');
    },
  };
}

function add(visit: ShopVisit, products: Products): Reply {
  const { form, state } = visit;
  const [colour, size] = [form.get('colour') ?? '', form.get('size') ?? ''];
  const quantity = Number.parseInt(form.get('quantity') ?? '1', 10);
  const product = products.get(form.get('product') ?? '');
  const pieces = product?.stock.get(`${colour}/${size}`);
  if (!product || pieces === undefined || !(quantity >= 1 && quantity <= 5)) return notFoundPage(visit);
  const isSame = (line: (typeof state.lines)[number]): boolean =>
    line.product === product.id && line.colour === colour && line.size === size;
  const all = quantity + (state.lines.find(isSame)?.quantity ?? 0);
  if (pieces < all) {
    return shopPage(visit, {
      title: 'Not available',
      status: 409,
      body: html`<h1>There are not enough of them</h1><p class="problem" role="alert">${product.name}, ${colour}, ${size}: ${pieces} on the shelf, ${all} wanted. Nothing was added.</p>
<p><a href="/products/${product.id}">Back to the product</a></p>`,
    });
  }
  state.lines = [...state.lines.filter((line) => !isSame(line)), { product: product.id, colour, size, quantity: all }];
  return seeOther('/basket');
}

function basketPage(visit: ShopVisit, products: Products, problem = ''): Reply {
  const { lines, voucher } = visit.state;
  // The page of another content is not this visitor's basket.
  if (visit.method === 'GET' && visit.params['reference'] !== basketReference(lines)) return notFoundPage(visit);
  const total = lines.reduce((sum, { product, quantity }) => sum + (products.get(product)?.cents ?? 0) * quantity, 0);
  return shopPage(visit, {
    title: 'Basket',
    status: problem === '' ? 200 : 422,
    body: html`<h1>Your basket</h1>
${lines.length === 0 ? html`<p>It is empty.</p>` : ''}
<ul class="results" id="lines">${lines.map(
      (
        line,
        index,
      ) => html`<li class="row basket-line"><a href="/products/${line.product}">${products.get(line.product)?.name ?? ''}</a>
<span>${line.colour}, ${line.size}, quantity ${line.quantity}</span> <strong>${euros((products.get(line.product)?.cents ?? 0) * line.quantity)}</strong>
<form method="post" action="/basket/remove"><input type="hidden" name="line" value="${index}"><button>Remove</button></form></li>`,
    )}</ul>
<p id="total">Together: ${euros(total)}${voucher === undefined ? '' : `, less ${VOUCHER.percent} per cent by voucher ${voucher}`}</p>
<form method="post" action="/basket/voucher" class="row" aria-label="Voucher"><div class="field"><label for="voucher">Voucher</label><input id="voucher" name="voucher" autocomplete="off"></div>
<div class="field"><button id="use-voucher">Use voucher</button></div></form><p class="error" role="alert">${problem}</p>
${lines.length === 0 ? '' : html`<p><a class="button primary" id="to-checkout" href="/checkout">Go to checkout</a></p>`}`,
  });
}
