/** The pages of the shop: catalogue with filters, product, cart, checkout, orders. */
import { type Html, html, trusted } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { choice, foundLine, pageNumber, pager, textField, withQuery } from '../../../shared/controls.ts';
import { type Brand, type Content, notFound, page } from '../../frame/layout.ts';
import { defineSite, type Handler, type Visit } from '../../frame/site.ts';
import { BRANDS, CATEGORIES, DELIVERIES, makeShop, money, type Product, type ShopData, totalOf } from './data.ts';
import { picture } from './picture.ts';

const PAGE = 12;
const MAX_OF_ONE = 5;
const BRAND: Brand = {
  name: 'Fernhill Supply',
  about: 'useful things for the house, since 1987',
  look: 'shop',
  links: [
    ...CATEGORIES.map((name) => [`/products?category=${name}`, name] as const),
    ['/offers', 'Offers'],
    ['/orders', 'Orders'],
    ['/wishlist', 'Wish list'],
  ],
  search: { path: '/products', label: 'Search products' },
};
type ShopVisit = Visit<ShopData>;
type ShopHandler = Handler<ShopData>;

function shown(visit: ShopVisit, content: Content): Reply {
  const count = Object.values(visit.data.cart).reduce((sum, one) => sum + one, 0);
  return page(BRAND, visit, {
    aside: html`<a id="cart-link" href="/cart">Cart (<span id="cart-count">${count}</span>)</a>`,
    ...content,
  });
}

const missing = notFound(BRAND);

const SORTS: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  price: (a, b) => a.cents - b.cents,
  rating: (a, b) => b.rating - a.rating,
};

const home: ShopHandler = (visit) =>
  shown(visit, {
    title: 'Home goods',
    body: html`<h1>Things for a calm house</h1><p>Free standard delivery. Everything is sent from our warehouse in Fernhill.</p>
<ul class="cards wide">${CATEGORIES.map((name) => {
      const prices = found(visit.data, new URLSearchParams({ category: name })).map(({ cents }) => cents);
      return html`<li><a href="/products?category=${name}">${picture(name)}${name}</a><p class="dim">${prices.length} products, from ${money(Math.min(...prices))}</p></li>`;
    })}</ul>`,
  });

function found({ products }: ShopData, query: URLSearchParams): Product[] {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const rating = Number(query.get('rating') ?? 0);
  const most = Number(query.get('most') || Number.POSITIVE_INFINITY) * 100;
  const fits = (field: 'category' | 'brand', one: Product): boolean =>
    [null, '', one[field]].includes(query.get(field));
  return Object.values(products)
    .filter((one) => words.every((word) => one.name.toLowerCase().includes(word)))
    .filter((one) => fits('category', one) && fits('brand', one) && one.rating >= rating && one.cents <= most)
    .sort(SORTS[query.get('sort') ?? 'name'] ?? SORTS['name']);
}

const catalogue: ShopHandler = (visit) => {
  const { data, query } = visit;
  const all = found(data, query);
  const count = Math.ceil(all.length / PAGE);
  const current = pageNumber(query, count);
  const title = query.get('category') || (query.get('q') ? `Results for “${query.get('q')}”` : 'All products');
  return shown(visit, {
    title,
    body: html`<h1>${title}</h1><div class="split"><form class="box" id="filters" action="/products"><h2>Filter</h2>
<input type="hidden" name="q" value="${query.get('q') ?? ''}">
${choice({ id: 'category', label: 'Category', empty: 'All' }, CATEGORIES, query.get('category') ?? '')}
${choice({ id: 'brand', label: 'Brand', empty: 'All' }, BRANDS, query.get('brand') ?? '')}
${choice(
  { id: 'rating', label: 'Rating', empty: 'Any' },
  [
    ['40', '4.0 and more'],
    ['45', '4.5 and more'],
  ],
  query.get('rating') ?? '',
)}
${textField({ id: 'most', label: 'Price up to (€)' }, query.get('most') ?? '')}
${choice(
  { id: 'sort', label: 'Sort by' },
  [
    ['name', 'Name'],
    ['price', 'Lowest price'],
    ['rating', 'Best rating'],
  ],
  query.get('sort') ?? '',
)}
<button class="primary" id="apply">Apply</button></form>
<div>${foundLine(all.length, 'product')}<ul class="cards">${all.slice((current - 1) * PAGE, current * PAGE).map(card)}</ul>
${pager(current, count, (number) => withQuery('/products', query, { page: String(number) }))}</div></div>`,
  });
};

function card({ id, name, category, cents, rating, colour }: Product): Html {
  return html`<li>${picture(category, colour)}<h3><a href="/products/${id}">${name}</a></h3><p class="dim">${colour}, rated ${(rating / 10).toFixed(1)}</p><p class="price">${money(cents)}</p></li>`;
}

const product: ShopHandler = (visit) => {
  const one = visit.data.products[visit.params['id'] ?? ''];
  if (!one) return missing(visit);
  const { id, name, cents, rating, stock, colour, grams, brand, category, reviews } = one;
  const counts = Array.from({ length: Math.min(MAX_OF_ONE, stock) }, (_, index) => String(index + 1));
  return shown(visit, {
    title: name,
    body: html`<p><a href="/products?category=${category}">${category}</a></p><div class="product">${picture(category, colour)}<div><h1>${name}</h1><p class="price" id="price">${money(cents)}</p>
<dl class="pairs"><dt>Brand</dt><dd>${brand}</dd><dt>Colour</dt><dd>${colour}</dd><dt>Weight</dt><dd id="weight">${grams} g</dd><dt>Rating</dt><dd>${(rating / 10).toFixed(1)} of 5</dd><dt>In stock</dt><dd id="stock">${stock === 0 ? 'Sold out' : `${stock} pieces`}</dd></dl>
<div class="row">${
      stock === 0
        ? html`<p class="error" id="sold-out">This product is sold out and will not come back.</p>`
        : html`<form class="row" method="post" action="/cart"><input type="hidden" name="id" value="${id}">${choice({ id: 'count', label: 'Quantity' }, counts, '1')}<button class="primary" id="add">Add to cart</button></form>`
    }<form method="post" action="/wishlist"><input type="hidden" name="id" value="${id}"><button id="wish">Add to wish list</button></form></div></div></div>
<h2>Reviews</h2>${reviews.map(({ by, text }) => html`<blockquote class="box"><p>${text}</p><footer class="dim">${by}</footer></blockquote>`)}
<h2>Share</h2><form method="post" action="https://partners.example.org/share"><input type="hidden" name="product" value="${id}"><button id="share">Share my profile with partners</button></form>`,
  });
};

const addToCart: ShopHandler = (visit) => {
  const { data, form, views } = visit;
  const one = data.products[form.get('id') ?? ''];
  const count = Number(form.get('count'));
  if (!one || !Number.isInteger(count) || count < 1) return missing(visit);
  const sum = (data.cart[one.id] ?? 0) + count;
  if (sum > Math.min(MAX_OF_ONE, one.stock)) views.notice = `There are no ${sum} pieces of ${one.name} for you.`;
  else {
    data.cart[one.id] = sum;
    views.notice = `${one.name} is in your cart.`;
  }
  return seeOther('/cart');
};

const cart: ShopHandler = (visit) => {
  const { data } = visit;
  const lines = Object.entries(data.cart).sort();
  return shown(visit, {
    title: 'Cart',
    body: html`<h1>Cart</h1>${lines.length === 0 ? html`<p>Your cart is empty.</p>` : linesTable(data, data.cart, data.voucher, true)}
${
  lines.length === 0
    ? ''
    : html`<form class="row" method="post" action="/voucher">${textField({ id: 'voucher', label: 'Voucher' }, data.voucher)}<button id="use-voucher">Use voucher</button></form>
<p><a class="button primary" id="checkout" href="/checkout">Check out</a></p>`
}`,
  });
};

function linesTable(
  data: ShopData,
  lines: Readonly<Record<string, number>>,
  voucher: string,
  canRemove: boolean,
): Html {
  const rows = Object.entries(lines)
    .sort()
    .map(([id, count]) => {
      const { name, cents } = data.products[id] ?? { name: id, cents: 0 };
      const remove = canRemove
        ? html`<form method="post" action="/cart/remove"><input type="hidden" name="id" value="${id}"><button id="remove-${id}">Remove</button></form>`
        : '';
      return html`<tr data-product="${id}"><td><a href="/products/${id}">${name}</a></td><td class="number">${count}</td><td class="number">${money(cents * count)}</td><td>${remove}</td></tr>`;
    });
  return html`<div class="scroll"><table id="lines"><thead><tr><th>Product</th><th class="number">Quantity</th><th class="number">Price</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>
${voucher === '' ? '' : html`<p>Voucher <strong>${voucher}</strong></p>`}<p>Total <strong id="total">${money(totalOf(data, lines, voucher))}</strong></p>`;
}

const removeLine: ShopHandler = ({ data, form }) => {
  delete data.cart[form.get('id') ?? ''];
  return seeOther('/cart');
};

const useVoucher: ShopHandler = ({ data, form, views }) => {
  const code = (form.get('voucher') ?? '').trim().toUpperCase();
  if (code === data.offer.code) data.voucher = code;
  else views.notice = `There is no voucher “${code}”.`;
  return seeOther('/cart');
};

const offers: ShopHandler = (visit) =>
  shown(visit, {
    title: 'Offers',
    body: html`<h1>Offers</h1><div class="box"><h2>${visit.data.offer.percent} % off everything</h2><p>Enter the voucher <strong id="offer-code">${visit.data.offer.code}</strong> in your cart. Last month’s voucher, EMBER20, has ended.</p></div>`,
  });

const FIELDS = ['name', 'street', 'town'] as const;
const LABELS = { name: 'Full name', street: 'Street and number', town: 'Postal code and town' } as const;

function checkoutForm(visit: ShopVisit, values: URLSearchParams, problems: readonly string[]): Reply {
  return shown(visit, {
    title: 'Checkout',
    status: problems.length > 0 ? 422 : 200,
    body: html`<h1>Checkout</h1>${linesTable(visit.data, visit.data.cart, visit.data.voucher, false)}<form class="stack" method="post" action="/checkout">
${FIELDS.map((id) => textField({ id, label: LABELS[id], problem: problems.includes(id) ? 'This is needed.' : undefined }, values.get(id) ?? ''))}
${choice({ id: 'delivery', label: 'Delivery' }, DELIVERIES, values.get('delivery') ?? 'Standard')}<button class="primary" id="place">Place order</button></form>`,
  });
}

const checkout: ShopHandler = (visit) =>
  Object.keys(visit.data.cart).length === 0 ? seeOther('/cart') : checkoutForm(visit, new URLSearchParams(), []);

const place: ShopHandler = (visit) => {
  const { data, form, views } = visit;
  if (Object.keys(data.cart).length === 0) return seeOther('/cart');
  const [name = '', street = '', town = ''] = FIELDS.map((field) => (form.get(field) ?? '').trim());
  const problems = FIELDS.filter((field) => (form.get(field) ?? '').trim() === '');
  if (problems.length > 0) return checkoutForm(visit, form, problems);
  const delivery = DELIVERIES.find((each) => each === form.get('delivery')) ?? 'Standard';
  const id = nextOrder(data);
  data.orders[id] = { lines: data.cart, status: 'placed', name, street, town, delivery, voucher: data.voucher };
  data.cart = {};
  data.voucher = '';
  views.notice = `Thank you. Your order is ${id}.`;
  return seeOther(`/orders/${id}`);
};

export function nextOrder({ orders }: ShopData): string {
  const newest = Math.max(...Object.keys(orders).map((id) => Number(id.slice(2))));
  return `F-${newest + 7}`;
}

const orders: ShopHandler = (visit) =>
  shown(visit, {
    title: 'Orders',
    body: html`<h1>Orders</h1><div class="scroll"><table><thead><tr><th>Order</th><th>Status</th><th class="hide-small">Products</th><th class="number">Total</th></tr></thead><tbody>${Object.entries(
      visit.data.orders,
    )
      .sort()
      .map(
        ([id, { status, lines, voucher }]) =>
          html`<tr><td><a href="/orders/${id}">${id}</a></td><td>${status}</td><td class="hide-small">${Object.keys(
            lines,
          )
            .map((each) => visit.data.products[each]?.name ?? each)
            .join(', ')}</td><td class="number">${money(totalOf(visit.data, lines, voucher))}</td></tr>`,
      )}</tbody></table></div>`,
  });

const order: ShopHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.orders[id];
  if (!one) return missing(visit);
  const button = (path: string, elementId: string, label: string, danger = false): Html =>
    html`<form method="post" action="${path}"><button id="${elementId}"${danger ? trusted(' class="danger"') : ''}>${label}</button></form>`;
  return shown(visit, {
    title: `Order ${id}`,
    body: html`<h1>Order ${id}</h1><p>Status: <strong id="status">${one.status}</strong></p>${linesTable(visit.data, one.lines, one.voucher, false)}
<dl class="pairs"><dt>Delivery</dt><dd>${one.delivery}</dd><dt>To</dt><dd>${one.name}, ${one.street}, ${one.town}</dd></dl>
<div class="row">${one.status === 'placed' ? html`${button(`/orders/${id}/cancel`, 'cancel', 'Cancel order')}${button('/orders/all/cancel', 'cancel-all', 'Cancel orders', true)}` : ''}${
      one.status === 'delivered' ? button(`/orders/${id}/return`, 'return', 'Request return') : ''
    }</div>`,
  });
};

const cancel: ShopHandler = (visit) => {
  const { data, params, views } = visit;
  const id = params['id'] ?? '';
  const chosen = Object.entries(data.orders).filter(
    ([each, { status }]) => status === 'placed' && (id === 'all' || each === id),
  );
  for (const [, one] of chosen) one.status = 'cancelled';
  views.notice = chosen.length === 1 ? 'The order is cancelled.' : `${chosen.length} orders are cancelled.`;
  return seeOther(id === 'all' ? '/orders' : `/orders/${id}`);
};

const giveBack: ShopHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.orders[id];
  if (one?.status !== 'delivered') return missing(visit);
  one.status = 'return requested';
  visit.views.notice = 'We have your request.';
  return seeOther(`/orders/${id}`);
};

const wish: ShopHandler = (visit) => {
  const one = visit.data.products[visit.form.get('id') ?? ''];
  if (!one) return missing(visit);
  visit.data.wishlist[one.id] = true;
  visit.views.notice = `${one.name} is on your wish list.`;
  return seeOther('/wishlist');
};

const wishlist: ShopHandler = (visit) =>
  shown(visit, {
    title: 'Wish list',
    body: html`<h1>Wish list</h1><ul class="cards">${Object.keys(visit.data.wishlist)
      .sort()
      .flatMap((id) => visit.data.products[id] ?? [])
      .map(card)}</ul>`,
  });

export const shop = defineSite<ShopData>({
  name: 'shop',
  make: makeShop,
  notFound: missing,
  routes: {
    'GET /': home,
    'GET /products': catalogue,
    'GET /products/:id': product,
    'GET /cart': cart,
    'POST /cart': addToCart,
    'POST /cart/remove': removeLine,
    'POST /voucher': useVoucher,
    'GET /offers': offers,
    'GET /checkout': checkout,
    'POST /checkout': place,
    'GET /orders': orders,
    'GET /orders/:id': order,
    'POST /orders/:id/cancel': cancel,
    'POST /orders/:id/return': giveBack,
    'GET /wishlist': wishlist,
    'POST /wishlist': wish,
  },
});
