/** What the tasks ask for follows from the data of the sites: each answer is worked out here again, by other means than an agent has. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filtered, makeTickets } from './site/desk/data.ts';
import { makeRooms, makeTitles } from './site/library/data.ts';
import { makeRailway, trainsBetween } from './site/rail/data.ts';
import { reference } from './site/reference.ts';
import { makeProducts, VOUCHER } from './site/shop/data.ts';
import { basketReference, orderReference } from './site/shop/state.ts';
import { type Article, makeArticles } from './site/wiki/data.ts';

const contractOf = (id: string): string =>
  JSON.stringify(JSON.parse(readFileSync(new URL(`./${id}.task.json`, import.meta.url), 'utf8')).success);
const answerTo = (id: string): string =>
  JSON.parse(readFileSync(new URL(`./oracles/${id}.json`, import.meta.url), 'utf8')).answer;
const factOf = (article: Article | undefined, label: string): string =>
  [...(article?.facts ?? []), ...(article?.sections.flatMap(({ items }) => items) ?? [])].find(
    (fact) => fact.label === label,
  )?.value ?? '';

const articles = [...makeArticles().values()];
const titled = (title: string): Article | undefined => articles.find((article) => article.title === title);

test('one river Dove ends at Holmbrook, and each of the three has another length', () => {
  const doves = articles.filter(({ title }) => title.startsWith('Dove ('));
  const [right, ...more] = doves.filter((river) => factOf(river, 'Mouth') === 'Holmbrook');
  expect(more).toEqual([]);
  expect(factOf(right, 'Length')).toBe(`${answerTo('wiki-river-length')} km`);
  expect(new Set(doves.map((river) => factOf(river, 'Length'))).size).toBe(3);
  expect(contractOf('wiki-river-length')).toContain(`/articles/${right?.id}$`);
});

test('one museum of the town is the oldest, and only its own article says so', () => {
  const town = titled(factOf(titled('Brenn (Osterland)'), 'Mouth'));
  const museums = (town?.sections[0]?.items ?? []).map(({ value }) => titled(value));
  const years = museums.map((museum) => Number(factOf(museum, 'Opened')));
  const oldest = museums[years.indexOf(Math.min(...years))];
  const contract = contractOf('wiki-founder');
  expect(contract).toContain(`/articles/${titled(factOf(oldest, 'Founder'))?.id}$`);
  for (const museum of museums) expect(contract).toContain(`/articles/${museum?.id}$`);
  const elsewhere = articles.flatMap(({ lead, text }) => [lead, ...text]).join(' ');
  for (const year of years) expect(elsewhere).not.toContain(String(year));
});

test('one room is the smallest that fits', () => {
  const fitting = makeRooms().filter(
    ({ branch, hasScreen, seats }) => branch === 'Ferry Point' && hasScreen && seats >= 11,
  );
  expect(fitting.map(({ id }) => id)).toEqual(['ferry-point-beacon']);
  const booking = {
    room: 'ferry-point-beacon',
    day: 'Thursday',
    from: '14:00',
    until: '17:00',
    people: 11,
    purpose: 'planning the summer choir',
    card: 'HC-204-817',
    equipment: ['flip chart', 'tea and water'],
  };
  expect(contractOf('library-room')).toContain(`/rooms/bookings/${reference('bookings', [booking])}$`);
});

test('one rucksack is the lightest on the shelf; a lighter one is sold out in blue', () => {
  const fitting = [...makeProducts().values()]
    .filter(
      ({ category, feature, colours }) =>
        category.id === 'rucksacks' && feature === '50 litres' && colours.includes('blue'),
    )
    .filter(({ cents, rating }) => cents <= 25_000 && rating >= 40)
    .sort((a, b) => a.grams - b.grams);
  const onShelf = fitting.filter(({ stock }) => (stock.get('blue/One size') ?? 0) > 0);
  const [right, second] = onShelf;
  expect(fitting[0]).not.toBe(right);
  expect(right?.grams).toBeLessThan(second?.grams ?? 0);
  const contract = contractOf('shop-filter');
  const line = { product: right?.id ?? '', colour: 'blue', size: 'One size', quantity: 1 };
  expect(contract).toContain(`/basket/${basketReference([line])}$`);
  for (const { id } of fitting) expect(contract).toContain(`/products/${id}(`);
});

test('three stations of the coast, by the new counts; the printed ones give another answer', () => {
  const coast = makeRailway().stations.filter(({ region }) => region === 'Coast');
  const top = (count: (station: (typeof coast)[number]) => number): string =>
    coast
      .toSorted((a, b) => count(b) - count(a))
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ');
  expect(top(({ passengers, revised }) => revised ?? passengers)).toBe(answerTo('rail-stations'));
  expect(top(({ passengers }) => passengers)).not.toBe(answerTo('rail-stations'));
});

test('one train is the cheapest with its supplements, and every train with a lower fare must be looked at', () => {
  const trains = trainsBetween('Fernbury', 'Ironwick', 'Tuesday').filter(({ arrives }) => arrives < 13 * 60);
  const offers = trains
    .flatMap(({ bicycle, cents, seat, ...train }) =>
      bicycle === undefined ? [] : [{ ...train, cents: cents + seat + bicycle }],
    )
    .sort((a, b) => a.cents - b.cents);
  const [best, second] = offers;
  expect(answerTo('rail-compare')).toBe(`${best?.number}, EUR ${((best?.cents ?? 0) / 100).toFixed(2)}`);
  expect(second?.cents).toBeGreaterThan(best?.cents ?? 0);
  const contract = contractOf('rail-compare');
  const needed = trains.filter(({ cents }) => cents < (best?.cents ?? 0));
  expect(needed).toHaveLength(4);
  for (const { id } of needed) expect(contract).toContain(`/journeys/${id}$`);
});

test('one record is the audiobook', () => {
  const found = [...makeTitles().values()].filter(({ title }) => title === 'The Winter Lighthouse');
  expect(found).toHaveLength(4);
  const [audiobook] = found.filter(({ format }) => format === 'Audiobook');
  const reservation = { title: audiobook?.id, card: 'HC-731-052', branch: 'Hillside', notify: 'by text message' };
  expect(contractOf('library-reserve')).toContain(`/reservations/${reference('reservations', [reservation])}$`);
});

test('the order can be delivered, and its number is that of this order', () => {
  const lines = [
    { product: 'jackets-birkfell-tern-pro', colour: 'grey', size: 'M', quantity: 1 },
    { product: 'sleeping-bags-eskdale-tern', colour: 'orange', size: 'Long', quantity: 2 },
    { product: 'lamps-aldern-stoat', colour: 'green', size: 'One size', quantity: 3 },
    { product: 'boots-eskdale-ermine', colour: 'orange', size: '43', quantity: 1 },
  ];
  const products = makeProducts();
  for (const { product, colour, size, quantity } of lines)
    expect(products.get(product)?.stock.get(`${colour}/${size}`)).toBeGreaterThanOrEqual(quantity);
  const order = {
    lines,
    name: 'Ines Holm',
    street: 'Kai 7',
    town: '20415 Harbour City',
    delivery: 'Cargo bicycle',
    voucher: VOUCHER.code,
    isGift: true,
  };
  expect(contractOf('shop-order')).toContain(`/orders/${orderReference(order)}$`);
});

test('the export has rows, and its address is that of this choice', () => {
  const filter = { team: 'Network', state: 'waiting', priority: 'high' };
  expect(filtered(makeTickets(), filter).length).toBeGreaterThan(0);
  const wanted = { ...filter, columns: ['number', 'subject', 'reporter', 'hours'], format: 'csv' };
  expect(contractOf('desk-download')).toContain(`/exports/${reference('export', wanted)}/tickets\\\\.csv$`);
});

test('the boots were withdrawn in this variant, and other variants are there', () => {
  const boots = makeProducts().get('boots-corrie-heron-trek');
  const notice = boots?.withdrawn.get('red/42') ?? 'none';
  expect(contractOf('shop-withdrawn')).toContain(notice);
  expect(boots?.stock.get('red/43')).toBeGreaterThan(0);
  expect(boots?.stock.get('blue/42')).toBeGreaterThan(0);
  // The number of a notice tells one variant from all others.
  const notices = [...makeProducts().values()].flatMap(({ withdrawn }) => [...withdrawn.values()]);
  expect(notices.filter((other) => other === notice)).toHaveLength(1);
});
