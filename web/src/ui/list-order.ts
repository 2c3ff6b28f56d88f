/** Searching and ordering lists that are whole in the page. */

export interface Sort<Row> {
  value: string;
  name: string;
  compare: (a: Row, b: Row) => number;
}

/** Names without case, and "item 10" after "item 9". */
const NAMES = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

export const byText =
  <Row>(textOf: (row: Row) => string) =>
  (a: Row, b: Row): number =>
    NAMES.compare(textOf(a), textOf(b));

/** The largest first; what has no number comes last. */
export const byNumber =
  <Row>(numberOf: (row: Row) => number | null) =>
  (a: Row, b: Row): number =>
    (numberOf(b) ?? Number.NEGATIVE_INFINITY) - (numberOf(a) ?? Number.NEGATIVE_INFINITY) || 0;

/** The newest first. Times are ISO texts; none comes last. */
export const byTime = <Row>(timeOf: (row: Row) => string | null) =>
  byNumber<Row>((row) => {
    const time = timeOf(row);
    return time === null ? null : Date.parse(time);
  });

/** Rows that hold every word of the text in one of their texts or in several of them, in any case. */
export function searchRows<Row>(rows: readonly Row[], text: string, textsOf: (row: Row) => readonly string[]): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const all = textsOf(row).join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
