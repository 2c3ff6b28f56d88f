/** Distances in text, in metres: 914km · 748 m · 2.5 miles · 3 ft. A number needs its unit. */
import { findNumbers, isRange } from './numbers.ts';
import { writtenOut } from './written-out.ts';

export interface DistanceRead {
  readonly metres: number;
  readonly text: string;
  readonly problem?: string;
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:km|kms|kilomet(?:er|re)s?)$/i, 1000],
  [/^(?:m|met(?:er|re)s?)$/i, 1],
  [/^(?:cm|centimet(?:er|re)s?)$/i, 0.01],
  [/^(?:mm|millimet(?:er|re)s?)$/i, 0.001],
  [/^(?:mi|miles?)$/i, 1609.344],
  [/^(?:ft|foot|feet)$/i, 0.3048],
  [/^(?:yds?|yards?)$/i, 0.9144],
  [/^(?:in|inch|inches)$/i, 0.0254],
];
const UNIT = /^[\s-]?([a-z]{1,11})(?![\p{L}\p{N}²³^/])/iu;

export function findDistances(text: string): DistanceRead[] {
  const plain = writtenOut(text);
  const found: DistanceRead[] = [];
  for (const number of findNumbers(plain)) {
    const { value, isPercent, start, end } = number;
    const unit = UNIT.exec(plain.slice(end, end + 14));
    const size = unit?.[1] === undefined ? undefined : UNITS.find(([pattern]) => pattern.test(unit[1] ?? ''))?.[1];
    if (isPercent || unit === null || size === undefined || value < 0) continue;
    const said = plain.slice(start, end + unit[0].length);
    const problem = isRange(plain, number) ? { problem: `${said} is part of a range` } : {};
    found.push({ metres: value * size, text: said, ...problem });
  }
  return found;
}

/** The right distance as a dataset writes it; a number is in metres. */
export function parseDistance(given: unknown): DistanceRead | undefined {
  if (typeof given === 'number')
    return Number.isFinite(given) && given >= 0 ? { metres: given, text: `${given} m` } : undefined;
  if (typeof given !== 'string') return undefined;
  const [first, second] = findDistances(given);
  const isAll = first !== undefined && second === undefined && first.text.length >= given.trim().length - 1;
  return isAll ? first : undefined;
}
