/** Checkout in two steps: address and way of delivery, then a review. The order's number depends on all of it. */
import { html } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { check, choice, textField } from '../../../shared/controls.ts';
import type { Product } from './data.ts';
import { notFoundPage, shopPage } from './page.ts';
import { type Order, orderReference, type ShopHandler, type ShopVisit } from './state.ts';

const WAYS = ['Parcel', 'Cargo bicycle', 'Collect in the shop'];
type Products = ReadonlyMap<string, Product>;

export function checkoutRoutes(products: Products): Record<string, ShopHandler> {
  return {
    'GET /checkout': (visit) => addressPage(visit, {}),
    'POST /checkout/review': (visit) => {
      const problems = problemsOf(visit);
      return Object.keys(problems).length > 0 ? addressPage(visit, problems) : reviewPage(visit, products);
    },
    'POST /checkout/place': place,
    'GET /orders/:reference': (visit) => orderPage(visit, products),
  };
}

function problemsOf({ form }: ShopVisit): Record<string, string> {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  return {
    ...(text('name').length < 3 ? { name: 'Enter first and last name.' } : {}),
    ...(/\d/.test(text('street')) ? {} : { street: 'Enter the street with its number.' }),
    ...(/^\d{5} \S/.test(text('town')) ? {} : { town: 'Enter five digits, a space and the town.' }),
    ...(WAYS.includes(text('delivery')) ? {} : { delivery: 'Choose how the goods reach you.' }),
  };
}

function addressPage(visit: ShopVisit, problems: Readonly<Record<string, string>>): Reply {
  if (visit.state.lines.length === 0) return seeOther('/basket');
  const value = (name: string): string => visit.form.get(name) ?? '';
  return shopPage(visit, {
    title: 'Checkout',
    status: Object.keys(problems).length === 0 ? 200 : 422,
    body: html`<h1>Checkout: where to</h1><form method="post" action="/checkout/review">
${textField({ id: 'name', label: 'Name', problem: problems['name'] }, value('name'))}
${textField({ id: 'street', label: 'Street and number', problem: problems['street'] }, value('street'))}
${textField({ id: 'town', label: 'Postcode and town', hint: 'For example: 20415 Harbour City', problem: problems['town'] }, value('town'))}
${choice({ id: 'delivery', label: 'Delivery', empty: 'Choose…' }, WAYS, value('delivery'))}<p class="error" role="alert">${problems['delivery'] ?? ''}</p>
${check('gift', 'gift', 'Wrap it as a gift', value('gift') === 'yes')}
<button class="primary" id="review">Review the order</button></form>`,
  });
}

function orderOf({ form, state }: ShopVisit): Order {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  return {
    lines: state.lines,
    name: text('name'),
    street: text('street'),
    town: text('town'),
    delivery: text('delivery'),
    voucher: state.voucher ?? '',
    isGift: form.get('gift') === 'yes',
  };
}

function reviewPage(visit: ShopVisit, products: Products): Reply {
  return shopPage(visit, {
    title: 'Review',
    body: html`<h1>Checkout: review</h1>${summary(orderOf(visit), products)}
<form method="post" action="/checkout/place">${[...visit.form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="primary" id="place">Order now</button> <a href="/checkout">Change the address</a></form>`,
  });
}

const place: ShopHandler = (visit) => {
  if (visit.state.lines.length === 0 || Object.keys(problemsOf(visit)).length > 0) return seeOther('/checkout');
  const order = orderOf(visit);
  const number = orderReference(order);
  visit.state.orders.set(number, order);
  visit.state.lines = [];
  delete visit.state.voucher;
  return seeOther(`/orders/${number}`);
};

function orderPage(visit: ShopVisit, products: Products): Reply {
  const number = visit.params['reference'] ?? '';
  const order = visit.state.orders.get(number);
  if (!order) return notFoundPage(visit);
  return shopPage(visit, {
    title: 'Order placed',
    body: html`<h1>Thank you, ${order.name}</h1><p class="box" id="order-number" role="status">Your order has the number ${number}.</p>
<p>Orders of this visit: <span id="order-count">${visit.state.orders.size}</span></p>${summary(order, products)}`,
  });
}

function summary(order: Order, products: Products) {
  return html`<ul>${order.lines.map(
    ({ product, colour, size, quantity }) =>
      html`<li class="order-line">${quantity} × ${products.get(product)?.name ?? ''}, ${colour}, ${size}</li>`,
  )}</ul>
<dl class="pairs"><dt>Name</dt><dd>${order.name}</dd><dt>Address</dt><dd>${order.street}, ${order.town}</dd><dt>Delivery</dt><dd>${order.delivery}</dd>
<dt>Voucher</dt><dd>${order.voucher === '' ? 'none' : order.voucher}</dd><dt>Gift</dt><dd>${order.isGift ? 'yes' : 'no'}</dd></dl>`;
}
