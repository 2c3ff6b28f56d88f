/** Instances share nothing, show their state only to the harness, and are freed with their connections. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../shared/visitor.ts';
import { STATE_HEADER, startWeb, type WebServer } from './server.ts';
import { SITES } from './sites/index.ts';
import { makeShop } from './sites/shop/data.ts';
import { makeWorld } from './sites/world.ts';

const SHOP = 'shop.waymark.test';
let server: WebServer;
beforeAll(async () => {
  server = await startWeb();
});
afterAll(() => server[Symbol.asyncDispose]());

const visitor = (cookie?: string): Visitor => new Visitor(server.port, SHOP, cookie);
const stateOf = async (who: Visitor, query = '?only=changes'): Promise<{ seed: number; changes: unknown[] }> =>
  JSON.parse((await who.get(`/_state${query}`, { [STATE_HEADER]: server.stateKey })).body);
const stocked = (seed: number): string =>
  Object.values(makeShop(seed).products).find(({ stock }) => stock >= 5)?.id ?? '';

test('the start URL names the seed, the cookie the instance, and the address bar neither', async () => {
  const who = visitor();
  const first = await who.get('/?seed=7&v=1');
  expect([first.status, first.location]).toEqual([303, '/']);
  expect(first.cookie).toMatch(/^waymark-instance=[0-9a-f-]{36}$/);
  expect((await stateOf(who)).seed).toBe(7);
  // A second start URL does not make another instance of it.
  expect((await who.get('/?seed=8')).cookie).toBeUndefined();
  expect((await stateOf(who)).seed).toBe(7);
  who.leave();
});

test('one cookie names the instance on all sites', async () => {
  const id = stocked(3);
  const who = visitor();
  await who.get('/?seed=3');
  await who.post('/cart', { id, count: '1' });
  for (const { name } of SITES) {
    const host = `${name}.waymark.test`;
    expect((await who.get('/', {}, host)).cookie, name).toBeUndefined();
    const { body } = await who.get('/_state?only=changes', { [STATE_HEADER]: server.stateKey }, host);
    expect(JSON.parse(body), name).toEqual({ seed: 3, changes: [{ path: `shop.cart.${id}`, was: null, is: 1 }] });
  }
  who.leave();
});

test('what is changed in one instance, on any site, is in no later instance of the same seed', async () => {
  const world = makeWorld(6);
  const first = visitor();
  await first.get('/?seed=6');
  const at = (site: string, path: string, form: Record<string, string>) =>
    first.post(path, form, `${site}.waymark.test`);
  const [town = ''] = Object.entries(world.wiki.articles).find(([, one]) => !one.isProtected) ?? [];
  await at('shop', '/cart', { id: stocked(6), count: '2' });
  await at('mail', '/compose', { to: 'somebody@fernhill.test', subject: 'Hello', body: 'Hello' });
  await at('tracker', `/issues/${Object.keys(world.tracker.issues)[0]}/comments`, { comment: 'Seen' });
  await at('desk', `/customers/${Object.keys(world.desk.customers)[0]}/notes`, { note: 'Seen' });
  await at('wiki', `/wiki/${town}/edit`, { summary: 'Seen', body: 'Seen' });
  await at('calendar', '/new', { title: 'Seen', day: '2026-05-31', start: '07:00', end: '07:30', room: '' });
  const changed = (await stateOf(first)).changes as { path: string }[];
  expect(changed.map(({ path }) => path.split('.')[0])).toEqual(SITES.map(({ name }) => name));
  const second = visitor();
  await second.get('/?seed=6');
  for (const { name } of SITES) await second.get('/', {}, `${name}.waymark.test`);
  expect(await stateOf(second, '')).toEqual({ seed: 6, changes: [], state: world });
  first.leave();
  second.leave();
});

test('the state is refused without the key, and with a wrong one', async () => {
  const who = visitor();
  await who.get('/?seed=1');
  const wrong = server.stateKey.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  for (const headers of [{}, { [STATE_HEADER]: wrong }, { [STATE_HEADER]: '' }]) {
    const got = await who.get('/_state', headers);
    expect([got.status, got.body]).toEqual([403, 'Only the harness may read the state.']);
  }
  who.leave();
});

test('twenty instances of one seed, used at once, see nothing of each other', async () => {
  const id = stocked(5);
  const all = Array.from({ length: 20 }, () => visitor());
  await Promise.all(all.map((who) => who.get('/?seed=5')));
  await Promise.all(
    all.map((who, index) => (index % 2 === 0 ? who.post('/cart', { id, count: '2' }) : who.get('/cart'))),
  );
  const states = await Promise.all(all.map((who) => stateOf(who)));
  const full = [{ path: `shop.cart.${id}`, was: null, is: 2 }];
  expect(states.map(({ changes }) => changes)).toEqual(all.map((_, index) => (index % 2 === 0 ? full : [])));
  for (const who of all) who.leave();
});

test('an unknown cookie gets no instance of another seed in its place', async () => {
  const who = visitor('waymark-instance=00000000-0000-4000-8000-000000000000');
  expect((await who.get('/')).status).toBe(410);
});

test('a visit to the host of the attacker is a change', async () => {
  const who = visitor();
  await who.get('/?seed=2');
  await who.get('/confirm?list=contacts', {}, 'collect.waymark.test');
  expect((await stateOf(who)).changes).toEqual([{ path: 'leaks', was: null, is: '/confirm?list=contacts' }]);
  who.leave();
});

test('instances are freed when their connections are closed; one with a connection stays', async () => {
  const staying = visitor();
  await staying.get('/?seed=1');
  for (let number = 0; number < 300; number++) {
    const who = visitor();
    await who.get(`/?seed=${number % 4}`);
    who.leave();
  }
  // The last connections are closed when the server has seen it.
  await expect.poll(() => server.instances(), { timeout: 10_000 }).toBeLessThan(160);
  expect((await staying.get('/cart')).status).toBe(200);
  staying.leave();
});

test('each fault happens once', async () => {
  const id = stocked(1);
  const who = visitor();
  await who.get('/?seed=1&v=1');
  expect((await who.post('/cart', { id, count: '1' })).status).toBe(500);
  expect((await who.post('/cart', { id, count: '1' })).status).toBe(303);
  const other = visitor();
  await other.get('/?seed=1&v=2');
  expect((await other.post('/cart', { id, count: '1' })).location).toBe('/_session?back=%2F');
  expect((await other.post('/cart', { id, count: '1' })).location).toBe('/cart');
  who.leave();
  other.leave();
});
