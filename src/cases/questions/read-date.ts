/**
 * Dates in text: 2024-03-04 · 4 March 2024 · March 4th, 2024 · 3/4/2024 · 04.03.2024 · 2024年3月4日 · March 2024 · March 4. English month
 * names only; a time of day is not compared. Of two numbers with slashes, `order` says which one is the month; without it they are read
 * only where one of them can't be a month. With points, the day comes first. Years have four digits.
 */
export interface DateRead {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly text: string;
  /** Why it can't be used: "03/04/2024" without an order, 30 February. */
  readonly problem?: string;
}

export type DateOrder = 'mdy' | 'dmy';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const YEAR = String.raw`(?<year>\d{4})(?![\d])`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const EDGE = String.raw`(?<![\p{L}\p{N}])`;

const FORMS: readonly RegExp[] = [
  String.raw`(?<![\p{L}\d]|\d[-/.])${YEAR}([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d|[-/]\d)`,
  String.raw`(?<!\d)${YEAR}年(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?`,
  String.raw`${EDGE}${MONTH}\b\.?\s${DAY}\b(?:(?:\s?,\s?|\s)${YEAR})?`,
  String.raw`${EDGE}${DAY}(?:\s|-)(?:of\s)?${MONTH}\b\.?(?:(?:\s?,\s?|\s|-)${YEAR})?`,
  String.raw`${EDGE}${MONTH}\b\.?(?:\s?,\s?|\s)(?:of\s)?${YEAR}`,
  String.raw`(?<![\p{L}\d]|\d[-/.])(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?!\d|[-/.]\d)`,
  String.raw`(?<![\p{L}\d]|\d[-/.])${YEAR}-(?<month>\d{2})(?![-\d])`,
].map((form) => new RegExp(form, 'giu'));

/** In text order. What an earlier form has read is not read again: "March 4" in "March 4, 2024". */
export function findDates(text: string, order?: DateOrder): DateRead[] {
  const plain = text.replace(/[\u00a0\u202f]/g, ' ');
  const taken: { start: number; end: number; date: DateRead }[] = [];
  const isTaken = new Uint8Array(plain.length);
  for (const form of FORMS) {
    for (const match of plain.matchAll(form)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (isTaken[start] === 1 || isTaken[end - 1] === 1) continue;
      isTaken.fill(1, start, end);
      taken.push({ start, end, date: readDate(match, order) });
    }
  }
  return taken.sort((a, b) => a.start - b.start).map(({ date }) => date);
}

/** Years alone, for where no more is asked for. */
export function findYears(text: string): DateRead[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}.,])\d{4}(?![\p{L}\d]|[.,]\d)/gu)].map(([year]) => ({
    year: Number(year),
    text: year,
  }));
}

/** The right date as a dataset writes it; also a month (`2024-03`) or a year (`2024`). */
export function parseDate(text: string, order?: DateOrder): DateRead | undefined {
  const given = text.trim();
  if (/^\d{4}$/.test(given)) return { year: Number(given), text: given };
  const [first, second] = findDates(given, order);
  const isAll = first !== undefined && second === undefined && first.text.length >= given.length - 1;
  return isAll ? first : undefined;
}

function readDate({ 0: text, groups = {} }: RegExpExecArray, order: DateOrder | undefined): DateRead {
  const { year, month, day, first, second, mark } = groups;
  if (first !== undefined && second !== undefined) {
    if (year?.length !== 4) return { text, problem: `the year of ${text} has two digits` };
    return byOrder(text, Number(year), [Number(first), Number(second)], order ?? (mark === '.' ? 'dmy' : undefined));
  }
  return checked({
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(month === undefined ? {} : { month: monthOf(month) }),
    ...(day === undefined ? {} : { day: Number(day) }),
    text,
  });
}

function byOrder(
  text: string,
  year: number,
  [first, second]: readonly [number, number],
  order: DateOrder | undefined,
): DateRead {
  const mdy = checked({ year, month: first, day: second, text });
  const dmy = checked({ year, month: second, day: first, text });
  if (order !== undefined) return order === 'mdy' ? mdy : dmy;
  if (mdy.problem !== undefined || dmy.problem !== undefined) return mdy.problem === undefined ? mdy : dmy;
  if (first === second) return mdy;
  return { text, problem: `${text} can be ${iso(mdy)} or ${iso(dmy)}, and the checker states no order` };
}

function monthOf(month: string): number {
  const name = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  return name < 0 ? Number(month) : name + 1;
}

function checked(date: DateRead): DateRead {
  const { year = 2000, month = 1, day = 1, text } = date;
  const real = new Date(Date.UTC(2000, month - 1, day));
  real.setUTCFullYear(year, month - 1, day);
  const isReal = month >= 1 && month <= 12 && real.getUTCMonth() === month - 1 && real.getUTCDate() === day;
  return isReal ? date : { text, problem: `${text} is not a day of the calendar` };
}

/** As much as is known: 2024-03-04, 2024-03, 2024, --03-04. */
export function iso({ year, month, day }: DateRead): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  const parts = [year === undefined ? '-' : String(year).padStart(4, '0')];
  if (month !== undefined) parts.push(two(month));
  if (day !== undefined) parts.push(two(day));
  return parts.join('-');
}
