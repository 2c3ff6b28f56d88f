/** The rows of a JSON array, of JSON lines, or of one JSON object. Never throws: what can't be read is a row with a problem. */
import { isUtf8 } from 'node:buffer';
import { JsonRefusal, linesOf, MAX_LINE, MAX_LINES, parseJson } from '../../archives/index.ts';
import type { Row } from '../rows/row.ts';
import { isStorableJson } from '../storable-text.ts';

export function* rowsOfBytes(bytes: Buffer): Generator<Row> {
  if (isUtf8(bytes)) yield* rowsOfText(bytes.toString('utf8'));
  else yield { place: `line ${lineThatIsNotText(bytes)}`, problem: 'It is not UTF-8 text.' };
}

export function* rowsOfText(text: string): Generator<Row> {
  const given = text.replace(/^\uFEFF/, '');
  const whole = given.trimStart();
  if (whole.startsWith('[')) yield* rowsOfArray(given);
  else if (isOneObject(whole)) yield { place: 'the file', ...rowOf(whole) };
  else yield* rowsOfLines(given);
}

/** An object over several lines, as REAL publishes its tasks. Of JSON lines, the first is whole. */
function isOneObject(text: string): boolean {
  const end = text.indexOf('\n');
  if (!text.startsWith('{') || end < 0 || !('problem' in readJson(text.slice(0, end)))) return false;
  return !('problem' in readJson(text));
}

function* rowsOfArray(text: string): Generator<Row> {
  const read = readJson(text);
  if ('problem' in read) return yield { place: 'the file', problem: read.problem };
  const rows = read.value as unknown[];
  if (rows.length > MAX_LINES) return yield { place: 'the file', problem: `It has more than ${MAX_LINES} rows.` };
  for (const [index, value] of rows.entries()) yield { place: `row ${index}`, ...storable(value) };
}

function* rowsOfLines(text: string): Generator<Row> {
  for (const { line, number } of linesOf(text)) {
    if (line.trim() === '') continue;
    const place = `line ${number}`;
    if (number > MAX_LINES) return yield { place, problem: `The file has more than ${MAX_LINES} lines.` };
    if (line.length > MAX_LINE) yield { place, problem: `It is longer than ${MAX_LINE} characters.` };
    else yield { place, ...rowOf(line) };
  }
}

/** A file of a folder that is one row. */
export function rowOfBytes(bytes: Buffer): Omit<Row, 'place'> {
  return isUtf8(bytes) ? rowOf(bytes.toString('utf8')) : { problem: 'It is not UTF-8 text.' };
}

function rowOf(text: string): Omit<Row, 'place'> {
  const read = readJson(text);
  return 'problem' in read ? read : storable(read.value);
}

export function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: parseJson(text) };
  } catch (thrown) {
    if (thrown instanceof JsonRefusal) return { problem: thrown.message };
    throw thrown;
  }
}

function storable(value: unknown): { value: unknown } | { problem: string } {
  return isStorableJson(value) ? { value } : { problem: 'It holds NUL or half a surrogate pair.' };
}

function lineThatIsNotText(bytes: Buffer): number {
  for (let start = 0, number = 1; ; number++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return number;
    start = end + 1;
  }
}
