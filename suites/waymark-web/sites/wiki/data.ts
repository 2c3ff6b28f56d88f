/** Fieldnotes: an encyclopedia of one small country, with the history of its pages. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { peopleOf } from '../../frame/people.ts';

export interface Revision {
  readonly by: string;
  readonly summary: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Article {
  readonly title: string;
  readonly kind: 'town' | 'person' | 'river' | 'lake';
  /** Only editors may change it. */
  readonly isProtected: boolean;
  /** The newest last; it is what the page shows. */
  revisions: Revision[];
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
    kind: Article['kind'],
    facts: Record<string, string>,
    text: string,
  ): [string, Article] => {
    const first = { by: random.pick(writers), summary: 'First version', facts, text: text.split('. ')[0] ?? text };
    const second = { by: random.pick(writers), summary: 'More about it', facts, text };
    return [slugOf(title), { title, kind, isProtected: false, revisions: [first, second] }];
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
  const last = one?.revisions.at(-1);
  if (!one || !other || !last) throw new Error('There are too few towns.');
  const joke = {
    by,
    summary: 'funny',
    facts: { ...last.facts, Mayor: 'A goose' },
    text: 'This town is ruled by geese.',
  };
  return {
    ...articles,
    [spoilt]: { ...one, revisions: [...one.revisions, joke] },
    [closed]: { ...other, isProtected: true },
  };
}

export function newestOf({ revisions }: Article): Revision {
  const last = revisions.at(-1);
  if (!last) throw new Error('An article has no revision.');
  return last;
}
