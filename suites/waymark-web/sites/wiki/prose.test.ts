import { expect, test } from 'vitest';
import { makeWiki, newestOf, rebuiltOf } from './data.ts';
import { partsOf, proseOf } from './prose.ts';
import { SENTENCES, WORDS } from './sentences.ts';

test('a text has a lead and all sections, is the same for the same seed, and another for another one', () => {
  const text = proseOf('lake', 'Lake Blue', 7, 'It lies in the hills.');
  expect(proseOf('lake', 'Lake Blue', 7, 'It lies in the hills.')).toBe(text);
  expect(proseOf('lake', 'Lake Blue', 8, 'It lies in the hills.')).not.toBe(text);
  const { lead, sections } = partsOf(text);
  expect(lead).toEqual(['It lies in the hills.']);
  expect(sections.map(({ heading }) => heading)).toEqual(['Nature', 'Use']);
  for (const { paragraphs } of sections) expect(paragraphs.join(' ').length).toBeGreaterThan(100);
});

test('sentences of the article itself keep their order', () => {
  const own = ['First.', 'Second.', 'Third.'];
  for (let seed = 0; seed < 20; seed++) {
    const text = proseOf('town', 'Dalby', seed, 'A town.', { History: own });
    const places = own.map((sentence) => text.indexOf(sentence));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  }
});

test('every placeholder has words', () => {
  const names = [...JSON.stringify(SENTENCES).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect([...new Set(names)].toSorted()).toEqual(Object.keys(WORDS).toSorted());
});

test('articles about towns are long, and name the year of the bridge once', () => {
  const towns = Object.values(makeWiki(3).articles).filter(({ kind }) => kind === 'town');
  for (const town of towns.filter((one) => newestOf(one).summary !== 'funny')) {
    const { text } = newestOf(town);
    expect(text.split(/\s+/).length, town.title).toBeGreaterThan(700);
    expect(text.split(String(rebuiltOf(town))).length, town.title).toBe(2);
    expect(text, town.title).not.toMatch(/[{}]|undefined/);
  }
});
