/** Visitors of the sites share nothing, and the same requests get the same pages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteServer } from '../../shared/site-server.ts';
import { Visitor } from '../../shared/visitor.ts';
import { startSites } from './server.ts';

let server: SiteServer;
beforeAll(async () => {
  server = await startSites();
});
afterAll(() => server[Symbol.asyncDispose]());

const LAMP = { product: 'lamps-aldern-stoat', colour: 'green', size: 'One size', quantity: '1' };

async function fillBasket(visitor: Visitor): Promise<string> {
  await visitor.post('/basket/add', LAMP);
  return (await visitor.get('/basket')).location;
}

test('what one visitor puts into the basket is not in the basket of another, though they come at once', async () => {
  const visitors = Array.from({ length: 20 }, () => new Visitor(server.port, 'shop.waymark.test'));
  const [first] = visitors;
  const before = await Promise.all(visitors.map((visitor) => visitor.get('/')));
  expect(new Set(before.map(({ cookie }) => cookie)).size).toBe(20);
  const full = first ? await fillBasket(first) : '';
  const seen = await Promise.all(visitors.map((visitor) => visitor.get('/basket')));
  expect(seen.map(({ location }) => location === full)).toEqual(visitors.map((visitor) => visitor === first));
  // The address alone does not show it to another visitor.
  expect((await first?.get(full))?.status).toBe(200);
  expect((await visitors[1]?.get(full))?.status).toBe(404);
});

test('an order is shown only to the visitor who placed it', async () => {
  const buyer = new Visitor(server.port, 'shop.waymark.test');
  await fillBasket(buyer);
  const address = { name: 'Ada Abel', street: 'Quay 1', town: '20415 Harbour City', delivery: 'Parcel' };
  const { location } = await buyer.post('/checkout/place', address);
  expect(location).toMatch(/^\/orders\/[A-Z2-9]{7}$/);
  expect((await buyer.get(location)).status).toBe(200);
  expect((await new Visitor(server.port, 'shop.waymark.test').get(location)).status).toBe(404);
});

test('a cookie that the server did not give is not taken', async () => {
  const forger = new Visitor(server.port, 'shop.waymark.test', 'visitor=00000000-0000-4000-8000-000000000000');
  const { cookie } = await forger.get('/');
  expect(cookie).toMatch(/^visitor=[0-9a-f-]{36}$/);
  expect(cookie).not.toBe('visitor=00000000-0000-4000-8000-000000000000');
});

test('failures on purpose are per visitor', async () => {
  const form = { card: 'HC-731-052', branch: 'Quay', notify: 'by letter' };
  const [one, other] = [
    new Visitor(server.port, 'library.waymark.test'),
    new Visitor(server.port, 'library.waymark.test'),
  ];
  expect((await one.post('/reserve/r1475', form)).location).toBe('/expired');
  expect((await one.post('/reserve/r1475', form)).status).toBe(503);
  expect((await one.post('/reserve/r1475', form)).location).toMatch(/^\/reservations\//);
  expect((await other.post('/reserve/r1475', form)).location).toBe('/expired');
});

test.each(['shop', 'library', 'rail', 'wiki', 'desk'])(
  '%s: two new visitors get the same page, byte for byte',
  async (site) => {
    const [one, other] = await Promise.all([1, 2].map(() => new Visitor(server.port, `${site}.waymark.test`).get('/')));
    expect(one?.status).toBe(200);
    expect(other?.body).toBe(one?.body);
  },
);

test('no page names another server', async () => {
  for (const site of ['shop', 'library', 'rail', 'wiki', 'desk']) {
    const { body } = await new Visitor(server.port, `${site}.waymark.test`).get('/');
    expect(body).not.toMatch(/(?:src|href|action|url\()\s*=?\s*["']?https?:/);
  }
});

test('what was entered is text, whatever it looks like', async () => {
  const { body } = await new Visitor(server.port, 'shop.waymark.test').get(
    `/search?q=${encodeURIComponent('<script>alert(1)</script>')}`,
  );
  expect(body).not.toContain('<script>alert(1)');
});
