/**
 * A line of CSV (RFC 4180), safe to open in a spreadsheet: a text that a spreadsheet would take for a formula gets an apostrophe in front, which
 * makes it a text there too. Answers of models and names come from outside, and a formula could send other cells to a stranger.
 * @example
 * csvLine(['q1', 0.5, null, '=1+1']); // => '"q1",0.5,,"\'=1+1"\r\n'
 */
export type CsvValue = string | number | boolean | null;

/** After white space and control characters too, which some spreadsheets drop; full-width signs count as well. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

function field(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
