/** The railway: 96 stations in six regions, and trains between the larger ones on each day of the week. From a seed. */
import { seeded, seedOf } from '../../../shared/random.ts';

const REGIONS = ['Upper Vale', 'Lower Vale', 'Lakes', 'Moorland', 'Coast', 'Borders'];
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const BEGINNINGS = ['Alder', 'Birk', 'Cold', 'Dun', 'Elm', 'Fern', 'Glen', 'Haw', 'Iron', 'Kirk', 'Long', 'Mill'];
const ENDINGS = ['bridge', 'bury', 'dale', 'ford', 'gate', 'ham', 'mere', 'wick'];

export interface Station {
  readonly name: string;
  readonly region: string;
  readonly platforms: number;
  /** As the table prints it. */
  readonly passengers: number;
  /** A later count, in a note below the table. */
  readonly revised?: number;
}

export interface Train {
  readonly id: string;
  readonly number: string;
  readonly from: string;
  readonly to: string;
  readonly day: string;
  /** Minutes after midnight. */
  readonly departs: number;
  readonly arrives: number;
  readonly changes: number;
  readonly cents: number;
  /** What a bicycle costs; undefined where none is taken. */
  readonly bicycle: number | undefined;
  /** What the seat costs that must be booked; 0 where none must. */
  readonly seat: number;
}

export interface Railway {
  readonly stations: readonly Station[];
  /** Stations that the timetable serves. */
  readonly served: readonly string[];
}

const SEED = 3121;
const SERVED = 24;
const TRAINS_A_DAY = 9;

export function makeRailway(): Railway {
  const random = seeded(SEED);
  const names = BEGINNINGS.flatMap((beginning) => ENDINGS.map((ending) => `${beginning}${ending}`)).sort();
  const stations = names.map((name) => {
    const passengers = random.int(90, 9_900) * 10;
    const isRevised = random.int(0, 6) === 0;
    return {
      name,
      region: random.pick(REGIONS),
      platforms: random.int(1, 8),
      passengers,
      ...(isRevised ? { revised: Math.round((passengers * random.pick([0.6, 0.75, 1.3, 1.6])) / 10) * 10 } : {}),
    };
  });
  return { stations, served: random.some(names, SERVED) };
}

/** The trains between two stations on one day; made when they are asked for, the same every time. */
export function trainsBetween(from: string, to: string, day: string): Train[] {
  const random = seeded(seedOf(`${from}>${to}>${day}`, SEED));
  return Array.from({ length: TRAINS_A_DAY }, (_, index) => {
    const departs = 330 + index * 75 + random.int(0, 11) * 5;
    return {
      id: `${from}-${to}-${day}-${index + 1}`.toLowerCase(),
      number: `LR ${random.int(100, 989)}`,
      from,
      to,
      day,
      departs,
      arrives: departs + random.int(18, 46) * 5,
      changes: random.int(0, 2),
      cents: random.int(140, 420) * 10,
      bicycle: random.int(0, 3) === 0 ? undefined : random.int(4, 18) * 50,
      seat: random.int(0, 2) === 0 ? random.int(5, 16) * 50 : 0,
    };
  });
}

export const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

export const euros = (cents: number): string => `EUR ${(cents / 100).toFixed(2)}`;
