/** The library: 480 records of books in four formats, six branches, their rooms. From a seed. */
import { seeded } from '../../../shared/random.ts';

export const BRANCHES = ['Quay', 'Old Town', 'Northgate', 'Station', 'Hillside', 'Ferry Point'];
export const FORMATS = ['Book', 'Large print', 'Audiobook', 'E-book'];
const SUBJECTS = [
  'Seafaring',
  'Gardening',
  'Astronomy',
  'Cooking',
  'Local history',
  'Birds',
  'Architecture',
  'Weather',
];

const ADJECTIVES = [
  'Silent',
  'Golden',
  'Hidden',
  'Northern',
  'Broken',
  'Distant',
  'Painted',
  'Winter',
  'Salt',
  'Crooked',
];
const NOUNS = [
  'Harbour',
  'Lantern',
  'Orchard',
  'Compass',
  'Garden',
  'Bridge',
  'Island',
  'Tower',
  'Meadow',
  'Lighthouse',
  'Window',
  'Archive',
];
const FIRST = ['Ada', 'Bram', 'Clara', 'Dirk', 'Edda', 'Finn', 'Greta', 'Henk', 'Ines', 'Jorik', 'Karla', 'Lorenz'];
const LAST = ['Abel', 'Brouwer', 'Cordes', 'Dahl', 'Evers', 'Falk', 'Grau', 'Holm', 'Iversen', 'Jansen'];

export interface Title {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly format: string;
  readonly subject: string;
  readonly year: number;
  /** Branches that hold it, each with the number of copies. */
  readonly holdings: ReadonlyMap<string, number>;
}

export interface Room {
  readonly id: string;
  readonly name: string;
  readonly branch: string;
  readonly seats: number;
  readonly hasScreen: boolean;
  readonly floor: number;
}

const WORKS = 120;
const SEED = 2203;

/** Every work is there in several formats, so that the right record is one of look-alikes. */
export function makeTitles(): Map<string, Title> {
  const random = seeded(SEED);
  const works = random.shuffle(ADJECTIVES.flatMap((adjective) => NOUNS.map((noun) => `The ${adjective} ${noun}`)));
  const titles = works.slice(0, WORKS).flatMap((title) => {
    const author = `${random.pick(FIRST)} ${random.pick(LAST)}`;
    const [subject, year] = [random.pick(SUBJECTS), random.int(1961, 2019)];
    return FORMATS.map((format, index) => ({ title, author, format, subject, year: year + index }));
  });
  return new Map(
    random.shuffle(titles).map((title, index) => {
      const id = `r${1001 + index}`;
      const branches = random.some(BRANCHES, random.int(1, 4));
      return [id, { id, ...title, holdings: new Map(branches.map((branch) => [branch, random.int(1, 3)])) }];
    }),
  );
}

const ROOM_NAMES = ['Anchor', 'Beacon', 'Cable', 'Delta', 'Ebb'];

export function makeRooms(): Room[] {
  const random = seeded(SEED + 1);
  return BRANCHES.flatMap((branch) =>
    ROOM_NAMES.map((name) => ({
      id: `${branch.toLowerCase().replace(' ', '-')}-${name.toLowerCase()}`,
      name,
      branch,
      seats: random.int(2, 9) * 2,
      hasScreen: random.int(0, 1) === 1,
      floor: random.int(0, 3),
    })),
  );
}
