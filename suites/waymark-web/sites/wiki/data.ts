/** Fieldnotes: an encyclopedia of one small country, with the history of its pages. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { peopleOf } from '../../frame/people.ts';
import { proseOf } from './prose.ts';
import type { ArticleKind } from './sentences.ts';

export interface Revision {
  readonly by: string;
  readonly summary: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Article {
  readonly title: string;
  readonly kind: ArticleKind;
  /** Only editors may change it. */
  readonly isProtected: boolean;
  /** By number, from 1. The newest is what the page shows. */
  readonly revisions: Record<number, Revision>;
}

export interface WikiData {
  readonly me: string;
  /** By the last part of the address. */
  readonly articles: Record<string, Article>;
}

const TOWNS = [
  'Aldmouth',
  'Brennford',
  'Corvik',
  'Dalby',
  'Eastry',
  'Farholm',
  'Grenna',
  'Hallow',
  'Istead',
  'Jarrow Hill',
  'Kelham',
  'Lowick',
];
const RIVERS = ['Tarn', 'Welle', 'Osk', 'Mirren', 'Dove', 'Sable'];
const LAKES = [
  'Anner',
  'Blue',
  'Crow',
  'Drift',
  'Elver',
  'Fallow',
  'Gannet',
  'Hollow',
  'Iron',
  'Juniper',
  'King',
  'Long',
];
const FIRST = [
  'Adela',
  'Bruno',
  'Clara',
  'Detlef',
  'Edith',
  'Frida',
  'Gustav',
  'Hanna',
  'Ivar',
  'Judith',
  'Karl',
  'Lydia',
];
const LAST = ['Ammer', 'Boll', 'Cray', 'Dorn', 'Ebner', 'Falk', 'Gruber', 'Hirt', 'Imhof', 'Jost', 'Krall', 'Lang'];
const TRADES = ['a merchant', 'a surveyor', 'a botanist', 'a ship builder'];

export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '');
}

export function makeWiki(seed: number): WikiData {
  const random = seeded(seedOf('wiki', seed));
  const { me, others } = peopleOf(seed);
  const writers = others.map(({ name }) => name);
  const article = (
    title: string,
    kind: ArticleKind,
    facts: Record<string, string>,
    lead: string,
    own?: Record<string, string[]>,
  ): [string, Article] => {
    const first = { by: random.pick(writers), summary: 'First version', facts, text: lead };
    const text = proseOf(kind, title, seed, lead, own);
    const second = { by: random.pick(writers), summary: 'More about it', facts, text };
    return [slugOf(title), { title, kind, isProtected: false, revisions: { 1: first, 2: second } }];
  };
  const firsts = random.shuffle(FIRST);
  const lasts = random.shuffle(LAST);
  const founders = TOWNS.map((_, index) => `${firsts[index]} ${lasts[index]}`);
  const births = random.shuffle(TOWNS);
  const years = random.shuffle(TOWNS.map((_, index) => 1100 + index * 43 + random.int(0, 40)));
  const mayors = random.shuffle(LAST);
  const towns = TOWNS.map((town, index) => {
    const river = random.pick(RIVERS);
    const facts = {
      Founded: String(years[index]),
      Founder: founders[index] ?? '',
      River: `${river} (river)`,
      Mayor: `${random.pick(FIRST)} ${mayors[index]}`,
      Population: String(random.int(2_000, 90_000)),
    };
    return article(
      town,
      'town',
      facts,
      `${town} is a town on the ${river}. It has a market on ${random.pick(['Mondays', 'Fridays', 'Saturdays'])} and an old bridge.`,
      { History: bridgeOf(town, seed) },
    );
  });
  const people = founders.map((name, index) => {
    const trade = random.pick(TRADES);
    return article(
      name,
      'person',
      { Born: births[index] ?? '', Trade: trade.replace(/^a /, '') },
      `${name} was ${trade} and founded ${TOWNS[index]}. A school has the name.`,
    );
  });
  const rivers = RIVERS.map((river) =>
    article(
      `${river} (river)`,
      'river',
      { Length: `${random.int(40, 400)} km`, Source: `Lake ${random.pick(LAKES)}` },
      `The ${river} is a river of the lowlands. It is calm and can be rowed.`,
    ),
  );
  const depths = random.shuffle(LAKES.map((_, index) => 12 + index * 17 + random.int(0, 9)));
  const areas = random.shuffle(LAKES.map((_, index) => 30 + index * 23 + random.int(0, 15)));
  const lakes = LAKES.map((lake, index) =>
    article(
      `Lake ${lake}`,
      'lake',
      { Depth: `${depths[index]} m`, Area: `${areas[index]} km²` },
      `Lake ${lake} lies in the hills. It freezes in most winters.`,
    ),
  );
  const articles = Object.fromEntries([...towns, ...people, ...rivers, ...lakes]);
  const [spoilt = '', closed = ''] = random.shuffle(TOWNS).map(slugOf);
  return { me: me.name, articles: withTrouble(articles, spoilt, closed, random.pick(writers)) };
}

/** One town's page was spoilt by its last revision, and another's is protected. */
function withTrouble(
  articles: Record<string, Article>,
  spoilt: string,
  closed: string,
  by: string,
): Record<string, Article> {
  const [one, other] = [articles[spoilt], articles[closed]];
  if (!one || !other) throw new Error('There are too few towns.');
  const last = newestOf(one);
  const joke = {
    by,
    summary: 'funny',
    facts: { ...last.facts, Mayor: 'A goose' },
    text: 'This town is ruled by geese.',
  };
  return {
    ...articles,
    [spoilt]: { ...one, revisions: { ...one.revisions, 3: joke } },
    [closed]: { ...other, isProtected: true },
  };
}

/** What is told of the bridge of a town, with several years, in sentences that stand anywhere in a long section. */
function bridgeOf(town: string, seed: number): string[] {
  const random = seeded(seedOf(`bridge ${town}`, seed));
  return [
    `The first bridge of stone was finished in ${random.int(1610, 1690)}.`,
    `A flood took two of its arches, and the bridge was rebuilt in ${random.int(1710, 1790)}.`,
    `The railway has crossed the river on a bridge of its own since ${random.int(1850, 1899)}.`,
  ];
}

export function rebuiltOf(article: Article): number {
  return Number(/the bridge was rebuilt in (\d{4})/.exec(newestOf(article).text)?.[1]);
}

export function addRevision(article: Article, revision: Revision): void {
  article.revisions[revisionsOf(article).length + 1] = revision;
}

/** The oldest first. */
export function revisionsOf({ revisions }: Article): Revision[] {
  return Object.values(revisions);
}

export function newestOf(article: Article): Revision {
  const last = revisionsOf(article).at(-1);
  if (!last) throw new Error('An article has no revision.');
  return last;
}
