/** The elements of a list in a response. A text can be read as a list in more than one way, so that all readings are returned. */
import { type Checker, withoutEndPunctuation, withoutMarkdown } from '../../cases/index.ts';
import { findJson } from './find-json.ts';
import { statedAnswer } from './stated-answer.ts';

type Separator = Extract<Checker, { kind: 'list' }>['separator'];

const BULLET = /^[ \t]{0,9}(?:[*+•–-]|\d{1,3}[.)])[ \t]+(\S.*)$/;

/**
 * Elements of JSON are values of any type, those of a text are strings.
 *
 * @example
 * listReadings('red, green and blue'); // => [['red', 'green', 'blue'], ['red', 'green and blue'], ['red, green and blue']]
 */
export function listReadings(response: string, separator?: Separator): readonly (readonly unknown[])[] {
  const json = findJson(response, { inProse: false });
  if (json.ok && typeof json.value === 'object' && json.value !== null)
    return [Array.isArray(json.value) ? json.value : [json.value]];
  const lines = response.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const bullets = lines.map((line) => BULLET.exec(line)?.[1]).filter((line) => line !== undefined);
  if (separator === undefined || separator === 'line') {
    if (bullets.length > 1 || (bullets.length === 1 && lines.length > 1)) return [bullets.map(plain)];
  }
  const text = withoutMarkdown(response);
  const stated = statedAnswer(text) ?? text;
  const own = stated.split('\n').filter((line) => line.trim() !== '' && !/[:：]\s*$/.test(line));
  if (separator === 'line' || (separator === undefined && own.length > 1)) return [own.map(plain)];
  return byMark(own.join('\n'), separator);
}

function byMark(given: string, separator: Separator): string[][] {
  // With one space at most between words, no pattern below looks at a space twice.
  const text = given.replace(/\s+/g, ' ');
  const parts = (mark: RegExp): string[] =>
    text
      .split(mark)
      .map(plain)
      .filter((part) => part !== '');
  if (separator === 'semicolon') return [parts(/;/)];
  if (separator === undefined && text.includes(';')) return [parts(/;/)];
  // A comma inside a number is no separator.
  const readings = [parts(/,(?!\d) ?(?:and |or |& )?| and | & /i), parts(/,(?!\d)/)];
  return separator === 'comma' ? readings : [...readings, [plain(text)]];
}

function plain(element: string): string {
  return withoutEndPunctuation(withoutMarkdown(element)).trim();
}
