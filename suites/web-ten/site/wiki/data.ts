/** The encyclopedia: rivers, towns, museums and people that refer to each other. From a seed. */

import { seeded } from '../../../shared/random.ts';
import { type Phrases, prose } from '../prose.ts';
import { LANDSCAPE, LIVES, TOWN_LIFE } from './phrases.ts';

const PROVINCES = ['Westmark', 'Tarn', 'Osterland', 'Vesper', 'Hallin'];
const RIVER_NAMES = [
  'Alder',
  'Brenn',
  'Calder',
  'Dove',
  'Ehle',
  'Fulda',
  'Gail',
  'Havel',
  'Inde',
  'Jagst',
  'Kell',
  'Lenne',
];
const TOWN_BEGINNINGS = ['Ash', 'Brim', 'Crow', 'Dell', 'East', 'Fox', 'Green', 'Holm', 'King', 'Lind'];
const TOWN_ENDINGS = ['brook', 'combe', 'haven', 'ley', 'ness', 'stead', 'ton', 'wick'];
const FIRST = [
  'Agnes',
  'Boris',
  'Cecilia',
  'Detlef',
  'Elena',
  'Franz',
  'Gerda',
  'Hugo',
  'Irma',
  'Jakob',
  'Klara',
  'Leopold',
];
const LAST = ['Amsel', 'Bergmann', 'Castell', 'Dorn', 'Ebner', 'Fuchs', 'Gruber', 'Hartwig'];
const COLLECTIONS = ['Clocks', 'Glass', 'Maps', 'Musical Instruments', 'Porcelain', 'Ships', 'Toys', 'Weaving'];
const TRADES = ['clockmaker', 'botanist', 'merchant', 'painter', 'physician', 'teacher'];

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** The article that the value is about. */
  readonly to?: string;
}

export interface Article {
  readonly id: string;
  readonly title: string;
  /** The first sentence; search results show it. */
  readonly lead: string;
  readonly facts: readonly Fact[];
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly sections: readonly { readonly title: string; readonly items: readonly Fact[] }[];
}

const SEED = 4409;
const TOWNS = 60;
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

export function makeArticles(): Map<string, Article> {
  const random = seeded(SEED);
  const articles = new Map<string, Article>();
  const add = (title: string, phrases: Phrases | undefined, rest: Omit<Article, 'id' | 'title' | 'text'>): void => {
    const id = slug(title);
    const sentences = phrases ? prose(id, phrases, 6) : [];
    const text = [sentences.slice(0, 3), sentences.slice(3)].map((some) => some.join(' ')).filter(Boolean);
    articles.set(id, { id, title, text, ...rest });
  };
  const link = (label: string, title: string): Fact => ({ label, value: title, to: slug(title) });

  const towns = random
    .shuffle(TOWN_BEGINNINGS.flatMap((beginning) => TOWN_ENDINGS.map((ending) => `${beginning}${ending}`)))
    .slice(0, TOWNS);
  // Three rivers of each name, in different provinces: the name alone does not say which one is meant.
  const rivers = RIVER_NAMES.flatMap((name) =>
    random.some(PROVINCES, 3).map((province) => ({ name, province, title: `${name} (${province})` })),
  );
  const mouths = random.shuffle(towns);
  const flowsThrough = new Map<string, string>();

  for (const [index, { name, province, title }] of rivers.entries()) {
    const mouth = mouths[index] ?? '';
    flowsThrough.set(mouth, title);
    const length = random.int(41, 388);
    add(title, LANDSCAPE, {
      lead: `The ${name} is a river in ${province}.`,
      facts: [
        { label: 'Province', value: province },
        { label: 'Length', value: `${length} km` },
        { label: 'Source', value: `${random.int(310, 1890)} m above the sea` },
        link('Mouth', mouth),
      ],
      sections: [
        {
          title: 'Course',
          items: [
            link('It ends at', mouth),
            { label: 'Bridges', value: String(random.int(6, 70)) },
            { label: 'Navigable for', value: `${random.int(5, length - 10)} km` },
          ],
        },
        { title: 'Neighbours', items: random.some(rivers, 3).map((other) => link('See also', other.title)) },
      ],
    });
  }
  for (const name of RIVER_NAMES) {
    add(name, undefined, {
      lead: `${name} is the name of several rivers.`,
      facts: [],
      sections: [
        {
          title: 'It may mean',
          items: rivers.filter((river) => river.name === name).map((river) => link('River', river.title)),
        },
      ],
    });
  }
  const people = random.shuffle(FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`)));
  let next = 0;
  for (const town of towns) {
    const museums = random.some(COLLECTIONS, 3).map((collection) => `Museum of ${collection}, ${town}`);
    const river = flowsThrough.get(town);
    add(town, TOWN_LIFE, {
      lead: `${town} is a town of ${random.int(4, 240)},000 people.`,
      facts: [
        { label: 'Mayor', value: random.pick(people) },
        ...(river === undefined ? [] : [link('River', river)]),
        { label: 'Elevation', value: `${random.int(2, 480)} m` },
      ],
      sections: [
        { title: 'Museums', items: museums.map((museum) => link('Museum', museum)) },
        { title: 'Twin towns', items: random.some(towns, 2).map((other) => link('Twin town', other)) },
      ],
    });
    for (const museum of random.shuffle(museums)) {
      // Some people have founded several museums, as people do.
      const [founder, director] = [people[next++ % people.length] ?? '', people[next++ % people.length] ?? ''];
      add(museum, TOWN_LIFE, {
        lead: `It is one of the museums of ${town}.`,
        facts: [
          link('Town', town),
          { label: 'Opened', value: String(random.int(1802, 1989)) },
          { label: 'Objects', value: String(random.int(800, 42_000)) },
        ],
        sections: [
          {
            title: 'History',
            items: [
              link('First director', director),
              link('Founder', founder),
              { label: 'Rebuilt', value: String(random.int(1990, 2015)) },
            ],
          },
        ],
      });
    }
  }
  for (const person of people) {
    add(person, LIVES, {
      lead: `${person} was a ${random.pick(TRADES)}.`,
      facts: [{ label: 'Born', value: String(random.int(1755, 1940)) }, link('Lived in', random.pick(towns))],
      sections: [],
    });
  }
  return articles;
}
