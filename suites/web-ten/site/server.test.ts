/** Visitors of the sites share nothing, and the same requests get the same pages. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SiteServer, startSites } from './server.ts';

let server: SiteServer;
beforeAll(async () => {
  server = await startSites();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Got {
  status: number;
  location: string;
  cookie: string | undefined;
  body: string;
}

/** A visitor that keeps its cookie, as a browser context does. */
class Visitor {
  cookie: string | undefined;
  readonly #host: string;

  constructor(host: string, cookie?: string) {
    this.#host = host;
    this.cookie = cookie;
  }

  get(path: string): Promise<Got> {
    return this.#send('GET', path, '');
  }

  post(path: string, form: Record<string, string>): Promise<Got> {
    return this.#send('POST', path, new URLSearchParams(form).toString());
  }

  #send(method: string, path: string, body: string): Promise<Got> {
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    const headers = { host: this.#host, ...(this.cookie === undefined ? {} : { cookie: this.cookie }) };
    request({ port: server.port, host: '127.0.0.1', method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
        this.cookie = cookie ?? this.cookie;
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', cookie, body: text });
      });
    })
      .on('error', reject)
      .end(body);
    return promise;
  }
}

const LAMP = { product: 'lamps-aldern-stoat', colour: 'green', size: 'One size', quantity: '1' };

async function fillBasket(visitor: Visitor): Promise<string> {
  await visitor.post('/basket/add', LAMP);
  return (await visitor.get('/basket')).location;
}

test('what one visitor puts into the basket is not in the basket of another, though they come at once', async () => {
  const visitors = Array.from({ length: 20 }, () => new Visitor('shop.waymark.test'));
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
  const buyer = new Visitor('shop.waymark.test');
  await fillBasket(buyer);
  const address = { name: 'Ada Abel', street: 'Quay 1', town: '20415 Harbour City', delivery: 'Parcel' };
  const { location } = await buyer.post('/checkout/place', address);
  expect(location).toMatch(/^\/orders\/[A-Z2-9]{7}$/);
  expect((await buyer.get(location)).status).toBe(200);
  expect((await new Visitor('shop.waymark.test').get(location)).status).toBe(404);
});

test('a cookie that the server did not give is not taken', async () => {
  const forger = new Visitor('shop.waymark.test', 'visitor=00000000-0000-4000-8000-000000000000');
  const { cookie } = await forger.get('/');
  expect(cookie).toMatch(/^visitor=[0-9a-f-]{36}$/);
  expect(cookie).not.toBe('visitor=00000000-0000-4000-8000-000000000000');
});

test('failures on purpose are per visitor', async () => {
  const form = { card: 'HC-731-052', branch: 'Quay', notify: 'by letter' };
  const [one, other] = [new Visitor('library.waymark.test'), new Visitor('library.waymark.test')];
  expect((await one.post('/reserve/r1475', form)).location).toBe('/expired');
  expect((await one.post('/reserve/r1475', form)).status).toBe(503);
  expect((await one.post('/reserve/r1475', form)).location).toMatch(/^\/reservations\//);
  expect((await other.post('/reserve/r1475', form)).location).toBe('/expired');
});

test.each(['shop', 'library', 'rail', 'wiki', 'desk'])(
  '%s: two new visitors get the same page, byte for byte',
  async (site) => {
    const [one, other] = await Promise.all([1, 2].map(() => new Visitor(`${site}.waymark.test`).get('/')));
    expect(one?.status).toBe(200);
    expect(other?.body).toBe(one?.body);
  },
);

test('no page names another server', async () => {
  for (const site of ['shop', 'library', 'rail', 'wiki', 'desk']) {
    const { body } = await new Visitor(`${site}.waymark.test`).get('/');
    expect(body).not.toMatch(/(?:src|href|action|url\()\s*=?\s*["']?https?:/);
  }
});

test('what was entered is text, whatever it looks like', async () => {
  const { body } = await new Visitor('shop.waymark.test').get(
    `/search?q=${encodeURIComponent('<script>alert(1)</script>')}`,
  );
  expect(body).not.toContain('<script>alert(1)');
});
