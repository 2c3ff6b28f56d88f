/** The people of an instance: the one who uses the sites, and the colleagues. The same on all sites. */
import { seeded, seedOf } from '../../shared/random.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

const FIRST = [
  'Ines',
  'Jonas',
  'Mira',
  'Tomas',
  'Lena',
  'Otis',
  'Priya',
  'Samuel',
  'Noor',
  'Felix',
  'Greta',
  'Hugo',
  'Amara',
  'Viktor',
  'Selma',
  'Dario',
];
const LAST = [
  'Holm',
  'Berger',
  'Okafor',
  'Lindqvist',
  'Marsh',
  'Castell',
  'Iyer',
  'Novak',
  'Haddad',
  'Brandt',
  'Sorensen',
  'Vale',
  'Moreau',
  'Kessler',
  'Ahlgren',
  'Rossi',
];

export interface People {
  readonly me: Person;
  /** Eight, each with another first name and another last name. */
  readonly others: readonly Person[];
}

export function peopleOf(seed: number): People {
  const random = seeded(seedOf('people', seed));
  const firsts = random.shuffle(FIRST);
  const lasts = random.shuffle(LAST);
  const all = firsts.slice(0, 9).map((first, index): Person => {
    const last = lasts[index] ?? '';
    const id = `${first}.${last}`.toLowerCase();
    return { id, name: `${first} ${last}`, email: `${id}@fernhill.test` };
  });
  const [me, ...others] = all;
  if (!me) throw new Error('There is nobody.');
  return { me, others };
}
