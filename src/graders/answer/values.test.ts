/** The checkers of one value: addresses, dates, amounts of money, durations. Each row is a response, the answer, options and the verdict. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Checker, checkerSchema } from '../../cases/schemas.ts';
import { checkAnswer } from './check-answer.ts';

type Row = readonly [response: string, expected: unknown, options: Record<string, unknown>, verdict: string];

function verdictOf(kind: Checker['kind'], [response, expected, options]: Row): string {
  return checkAnswer({ checker: checkerSchema.parse({ kind, ...options }), expected }, response).verdict;
}

const URLS: Row[] = [
  ['https://example.com/a', 'https://example.com/a', {}, 'pass'],
  ['http://example.com/a', 'https://example.com/a', {}, 'pass'],
  ['https://www.example.com/a', 'https://example.com/a', {}, 'pass'],
  ['HTTPS://EXAMPLE.COM/a', 'https://example.com/a', {}, 'pass'],
  ['https://example.com/a/', 'https://example.com/a', {}, 'pass'],
  ['https://example.com:443/a', 'https://example.com/a', {}, 'pass'],
  ['http://example.com:8080/a', 'http://example.com/a', {}, 'fail'],
  ['https://example.com/A', 'https://example.com/a', {}, 'fail'],
  ['https://example.com/%7Ea', 'https://example.com/~a', {}, 'pass'],
  ['https://example.com/a%2Fb', 'https://example.com/a/b', {}, 'fail'],
  ['https://example.com/a?x=1&y=2', 'https://example.com/a?y=2&x=1', {}, 'pass'],
  ['https://example.com/a?x=1', 'https://example.com/a?x=2', {}, 'fail'],
  ['https://example.com/a?x=1&utm=z', 'https://example.com/a?x=1', {}, 'fail'],
  ['https://example.com/a?x=1&utm=z', 'https://example.com/a?x=1', { query: 'subset' }, 'pass'],
  ['https://example.com/a', 'https://example.com/a?x=1', { query: 'subset' }, 'fail'],
  ['https://example.com/a?x=1&utm=z', 'https://example.com/a?x=1', { ignored_params: ['utm'] }, 'pass'],
  ['https://example.com/a?x=9', 'https://example.com/a?x=1', { query: 'ignore' }, 'pass'],
  ['https://example.com/a?x=1&x=1', 'https://example.com/a?x=1', {}, 'fail'],
  ['https://example.com/a#part', 'https://example.com/a', {}, 'pass'],
  ['https://example.com/a#part', 'https://example.com/a', { fragment: 'equal' }, 'fail'],
  ['https://example.com/a/b?x=1', 'https://example.com/a', { match: 'contains', query: 'subset' }, 'pass'],
  ['https://example.com/b', 'https://example.com/a', { match: 'contains' }, 'fail'],
  ['https://mirror.example.org/a', 'https://example.com/a', { host: 'ignore' }, 'pass'],
  ['https://mirror.example.org/a', '/a', {}, 'pass'],
  ['https://evil.net/a', 'https://example.com/a', {}, 'fail'],
  ['https://example.com@evil.net/a', 'https://example.com/a', {}, 'fail'],
  ['https://user:pw@example.com/a', 'https://example.com/a', {}, 'fail'],
  ['https://example.com.evil.net/a', 'https://example.com/a', {}, 'fail'],
  ['It is [the page](https://example.com/a).', 'https://example.com/a', {}, 'pass'],
  ['See <https://example.com/a>, please.', 'https://example.com/a', {}, 'pass'],
  ['(https://example.com/a_(b))', 'https://example.com/a_(b)', {}, 'pass'],
  ['example.com/a', 'https://example.com/a', {}, 'pass'],
  ['Final answer: example.com/a', 'https://example.com/a', {}, 'pass'],
  ['It is at example.com somewhere', 'https://example.com', {}, 'fail'],
  ['https://example.com/a or https://example.com/b', 'https://example.com/a', {}, 'fail'],
  ['From https://example.com/b.\nFinal answer: https://example.com/a', 'https://example.com/a', {}, 'pass'],
  ['https://example.com/a and again https://example.com/a/', 'https://example.com/a', {}, 'pass'],
  ['https://example.com/b', ['https://example.com/a', 'https://example.com/b'], {}, 'pass'],
  ['javascript:alert(1)', 'https://example.com/a', {}, 'fail'],
  ['none', 'https://example.com/a', {}, 'fail'],
  ['https://example.com/a', 'not an address', {}, 'error'],
  ['https://example.com/a', 'ftp://example.com/a', {}, 'error'],
];

const DATES: Row[] = [
  ['2024-03-04', '2024-03-04', {}, 'pass'],
  ['2024-3-4', '2024-03-04', {}, 'pass'],
  ['2024/03/04', '2024-03-04', {}, 'pass'],
  ['2024-03-04T10:00:00Z', '2024-03-04', {}, 'pass'],
  ['March 4, 2024', '2024-03-04', {}, 'pass'],
  ['Mar 4th, 2024', '2024-03-04', {}, 'pass'],
  ['Monday, March 4 2024', '2024-03-04', {}, 'pass'],
  ['4 March 2024', '2024-03-04', {}, 'pass'],
  ['the 4th of March, 2024', '2024-03-04', {}, 'pass'],
  ['4-Mar-2024', '2024-03-04', {}, 'pass'],
  ['Mar. 4, 2024 at 3:04 PM', '2024-03-04', {}, 'pass'],
  ['Mon, 4 Mar 2024 15:04:05', '2024-03-04', {}, 'pass'],
  ['2024-03-04 15:04:05', '2024-03-04', {}, 'pass'],
  ['March 4-6, 2024', '2024-03-04', {}, 'fail'],
  ['I may 5 times', '2024-05-05', {}, 'fail'],
  ['2024年3月4日', '2024-03-04', {}, 'pass'],
  ['**March 4, 2024**', '2024-03-04', {}, 'pass'],
  ['It was delivered on March 4, 2024.', 'March 4 2024', {}, 'pass'],
  ['March 5, 2024', '2024-03-04', {}, 'fail'],
  ['March 4, 2023', '2024-03-04', {}, 'fail'],
  // The order of two numbers.
  ['03/04/2024', '2024-03-04', {}, 'fail'],
  ['03/04/2024', '2024-03-04', { order: 'mdy' }, 'pass'],
  ['03/04/2024', '2024-03-04', { order: 'dmy' }, 'fail'],
  ['04/03/2024', '2024-03-04', { order: 'dmy' }, 'pass'],
  ['03/25/2024', '2024-03-25', {}, 'pass'],
  ['25/03/2024', '2024-03-25', {}, 'pass'],
  ['03/03/2024', '2024-03-03', {}, 'pass'],
  ['04.03.2024', '2024-03-04', {}, 'pass'],
  ['3/4/24', '2024-03-04', { order: 'mdy' }, 'fail'],
  ['2024-03-04', '03/04/2024', {}, 'error'],
  ['2024-03-04', '03/04/2024', { order: 'mdy' }, 'pass'],
  // Precision.
  ['March 4', '2024-03-04', {}, 'fail'],
  ['March 2024', '2024-03-04', {}, 'fail'],
  ['March 2024', '2024-03', {}, 'pass'],
  ['4 March 2024', '2024-03', {}, 'pass'],
  ['April 2024', '2024-03', {}, 'fail'],
  ['2024-03', '2024-03', {}, 'pass'],
  ['It was in 2024.', '2024', {}, 'pass'],
  ['It was in 2023.', '2024', {}, 'fail'],
  ['4 March 2024', '2024', {}, 'pass'],
  // Several.
  ['Ordered March 1, 2024, delivered March 4, 2024', '2024-03-04', {}, 'fail'],
  ['Ordered March 1, 2024.\nAnswer: March 4, 2024', '2024-03-04', {}, 'pass'],
  ['March 4, 2024 (2024-03-04)', '2024-03-04', {}, 'pass'],
  ['2024-03-05', ['2024-03-04', '2024-03-05'], {}, 'pass'],
  // Not a day.
  ['February 30, 2024', '2024-03-01', {}, 'fail'],
  ['2023-02-29', '2023-03-01', {}, 'fail'],
  ['February 29, 2024', '2024-02-29', {}, 'pass'],
  ['yesterday', '2024-03-04', {}, 'fail'],
  ['', '2024-03-04', {}, 'fail'],
  ['2024-03-04', 'some day', {}, 'error'],
  ['2024-03-04', '2024-02-30', {}, 'error'],
];

const AMOUNTS: Row[] = [
  ['$12.50', 12.5, {}, 'pass'],
  ['12.50', 12.5, {}, 'pass'],
  ['12,50 €', 12.5, {}, 'pass'],
  ['$12.50', '$12.50', {}, 'pass'],
  ['USD 12.50', '$12.50', {}, 'pass'],
  ['12.50 USD', '$12.50', {}, 'pass'],
  ['12.50 dollars', '$12.50', {}, 'pass'],
  ['€12.50', '$12.50', {}, 'fail'],
  ['CA$12.50', '$12.50', {}, 'pass'],
  ['CA$12.50', '$12.50', { currency: 'USD' }, 'fail'],
  ['$12.50', 12.5, { currency: 'USD' }, 'pass'],
  ['£12.50', 12.5, { currency: 'USD' }, 'fail'],
  ['12.50', 12.5, { currency: 'USD' }, 'pass'],
  ['12.50', 12.5, { currency: 'USD', require_currency: true }, 'fail'],
  ['12.50 USD', 12.5, { currency: 'USD', require_currency: true }, 'pass'],
  ['$12.51', 12.5, {}, 'fail'],
  ['$12.51', 12.5, { abs_tol: 0.01 }, 'pass'],
  ['$1,299.99', 1299.99, {}, 'pass'],
  ['1.299,99 €', 1299.99, {}, 'pass'],
  ['EUR 1.299,99', '€1299.99', {}, 'pass'],
  ['$1,234', 1234, {}, 'pass'],
  ['€1.234', 1234, {}, 'fail'],
  ['€1.234', 1.234, {}, 'fail'],
  ['€1.234', 1234, { decimal: ',' }, 'pass'],
  ['€1.234', 1.234, { decimal: '.' }, 'pass'],
  ['$0.123', 0.123, {}, 'pass'],
  ['$1.5M', 1_500_000, {}, 'pass'],
  ['$1.5M', 1.5, {}, 'fail'],
  ['1.5 million dollars', 1_500_000, {}, 'pass'],
  ['$2.5k', 2500, {}, 'pass'],
  ['-$5', -5, {}, 'pass'],
  ['-$5', 5, {}, 'fail'],
  ['($5)', -5, {}, 'pass'],
  ['-USD 5', -5, {}, 'pass'],
  ['3 items cost $36.39 in total', 36.39, {}, 'pass'],
  ['It costs $5 or $6', 5, {}, 'fail'],
  ['It was $6. Final answer: $5', 5, {}, 'pass'],
  ['3 items for 36.39', 36.39, {}, 'fail'],
  ['$5.00 (5 USD)', 5, {}, 'pass'],
  ['25%', 25, {}, 'fail'],
  ['free', 0, {}, 'fail'],
  ['$0.00', 0, {}, 'pass'],
  ['$6', [5, 6], {}, 'pass'],
  ['USD12.50', '$12.50', {}, 'pass'],
  ['EUR20', '€20', {}, 'pass'],
  ['12.50USD', '$12.50', {}, 'pass'],
  ['$5-6', 5, {}, 'fail'],
  ['$5 to 6', 5, {}, 'fail'],
  ['$5–$6', 6, {}, 'fail'],
  ['5-6 USD', 6, {}, 'fail'],
  ['$5', 'cheap', {}, 'error'],
  ['$5', '€1.234', {}, 'error'],
];

const DURATIONS: Row[] = [
  ['1 h 30 min', '1h30m', {}, 'pass'],
  ['90 minutes', '1h 30min', {}, 'pass'],
  ['1.5 hours', '90 min', {}, 'pass'],
  ['1½ hours', '90 min', {}, 'pass'],
  ['an hour and a half', '90 min', {}, 'pass'],
  ['half an hour', '30 min', {}, 'pass'],
  ['one hour and thirty minutes', '90 min', {}, 'fail'],
  ['one hour', '60 min', {}, 'pass'],
  ['1 hour, 30 minutes and 5 seconds', 5405, {}, 'pass'],
  ['PT1H30M', '90 min', {}, 'pass'],
  ['P1DT2H', '26 hours', {}, 'pass'],
  ['01:33:00', '1h33min', {}, 'pass'],
  ['1:33:00', '93 minutes', {}, 'pass'],
  ['1:30 hours', '90 min', {}, 'pass'],
  ['4:13', '4 min 13 s', {}, 'fail'],
  ['4:13', '4 min 13 s', { clock: 'm:s' }, 'pass'],
  ['4:13', '4 h 13 min', { clock: 'h:m' }, 'pass'],
  ['4:13', '4 h 13 min', { clock: 'm:s' }, 'fail'],
  ['It takes about **7min** by car.', '7 minutes', {}, 'pass'],
  ['a 45-minute walk', '45 min', {}, 'pass'],
  ['7 minutes', '8 minutes', {}, 'fail'],
  ['7 minutes', '8 minutes', { abs_tol: 60 }, 'pass'],
  ['7 minutes', '8 minutes', { abs_tol: 59 }, 'fail'],
  ['110 min', '100 min', { rel_tol: 0.1 }, 'pass'],
  ['7', '7 min', {}, 'fail'],
  ['2 days', '48 h', {}, 'pass'],
  ['1 week', '7 days', {}, 'pass'],
  ['250 ms', 0.25, {}, 'pass'],
  ['2 months', '60 days', {}, 'fail'],
  ['5 minutes or 7 minutes', '5 min', {}, 'fail'],
  ['By car 5 minutes, on foot 7 minutes. Answer: 7 minutes', '7 min', {}, 'pass'],
  ['90 minutes (1 h 30 min)', '90 min', {}, 'pass'],
  ['-5 minutes', '5 min', {}, 'fail'],
  ['at 10:30 am', '10 h 30 min', { clock: 'h:m' }, 'fail'],
  ['soon', '5 min', {}, 'fail'],
  ['5 to 6 minutes', '6 min', {}, 'fail'],
  ['30-45 minutes', '45 min', {}, 'fail'],
  ['7 min', ['5 min', '7 min'], {}, 'pass'],
  ['7 min', 'a while', {}, 'error'],
  ['7 min', '4:13', {}, 'error'],
  ['7 min', -5, {}, 'error'],
];

const DISTANCES: Row[] = [
  ['914km', '914km', {}, 'pass'],
  ['914 km', '914km', {}, 'pass'],
  ['914 kilometers', '914km', {}, 'pass'],
  ['914 kilometres', '914km', {}, 'pass'],
  ['914,000 m', '914km', {}, 'pass'],
  ['914 m', '914km', {}, 'fail'],
  ['914 miles', '914km', {}, 'fail'],
  ['1 mile', 1609.344, {}, 'pass'],
  ['1 mi', '1.609344 km', {}, 'pass'],
  ['3 ft', '1 yard', {}, 'pass'],
  ['12 inches', '1 foot', {}, 'pass'],
  ['748m', '748 m', {}, 'pass'],
  ['748', '748 m', {}, 'fail'],
  ['0.748 km', '748 m', {}, 'pass'],
  ['1½ km', '1500 m', {}, 'pass'],
  ['750 m', '748 m', {}, 'fail'],
  ['750 m', '748 m', { abs_tol: 2 }, 'pass'],
  ['760 m', '748 m', { rel_tol: 0.02 }, 'pass'],
  ['780 m', '748 m', { rel_tol: 0.02 }, 'fail'],
  ['It is a **5-km** walk.', '5 km', {}, 'pass'],
  ['5 km²', '5 km', {}, 'fail'],
  ['5 km/h', '5 km', {}, 'fail'],
  ['-5 km', '5 km', {}, 'fail'],
  ['5 km or 6 km', '5 km', {}, 'fail'],
  ['5 km or 6 km. Final answer: 6 km', '6 km', {}, 'pass'],
  ['5 km (5000 m)', '5 km', {}, 'pass'],
  ['6 km', ['5 km', '6 km'], {}, 'pass'],
  ['far', '5 km', {}, 'fail'],
  ['5-6 km', '6 km', {}, 'fail'],
  ['5 to 6 km', '6 km', {}, 'fail'],
  ['5 km', 'far', {}, 'error'],
  ['5 km', '5', {}, 'error'],
];

describe.each<[Checker['kind'], Row[]]>([
  ['url', URLS],
  ['date', DATES],
  ['currency', AMOUNTS],
  ['duration', DURATIONS],
  ['distance', DISTANCES],
])('%s', (kind, rows) => {
  test.each(rows)('%j against %j with %j: %s', (...row) => {
    expect(verdictOf(kind, row)).toBe(row[3]);
  });
});

test('says why a value is ambiguous', () => {
  const reasonOf = (kind: 'date' | 'currency' | 'duration', response: string, expected: unknown): string =>
    checkAnswer({ checker: { kind }, expected }, response).detail.reason;
  expect(reasonOf('date', '03/04/2024', '2024-03-04')).toBe(
    'Ambiguous or wrong: 03/04/2024 can be 2024-03-04 or 2024-04-03, and the checker states no order.',
  );
  expect(reasonOf('currency', 'It costs €1.234.', 1234)).toBe(
    'Ambiguous or wrong: €1.234 can be 1234 or 1.234, and the checker states no decimal mark.',
  );
  expect(reasonOf('duration', '4:13', 253)).toBe(
    'Ambiguous or wrong: 4:13 can be hours and minutes or minutes and seconds, and the checker states no clock.',
  );
  expect(reasonOf('date', 'From 2024-03-01 to 2024-03-04', '2024-03-04')).toBe(
    'Ambiguous: the response names 2024-03-01 and 2024-03-04, and states neither as its answer.',
  );
});

describe('hostile text is read in linear time', () => {
  const big = (part: string): string => part.repeat(Math.floor(190_000 / part.length));
  test.each<[Checker['kind'], unknown, string]>([
    ['url', 'https://example.com/a', big('https://a.b/(')],
    ['url', 'https://example.com/a', `https://a.b/${big(')')}`],
    ['url', 'https://example.com/a', `https://a.b/${big('(')}`],
    ['url', 'https://example.com/a', big('](')],
    ['date', '2024-03-04', big('1/1/')],
    ['date', '2024-03-04', big('March ')],
    ['date', '2024-03-04', big('2024-')],
    ['date', '2024-03-04', big('5 March 2024 ')],
    ['currency', 5, big('$1,')],
    ['currency', 5, big('USD ')],
    ['currency', 5, big('($')],
    ['duration', 5, big('1h')],
    ['duration', 5, big('1 and ')],
    ['duration', 5, big('1:')],
    ['duration', 5, `P${big('1')}`],
    ['duration', 5, big('a ')],
    ['distance', 5, big('1 k')],
    ['distance', 5, big('1km')],
    ['exact', 'x', big('the answer is ')],
    ['exact', 'x', big('answer to ')],
    ['exact', 'x', big('"')],
    ['exact', 'x', big('\\boxed{')],
  ])('%s, %j', (kind, expected, response) => {
    expect(checkAnswer({ checker: checkerSchema.parse({ kind }), expected }, response).verdict).toBe('fail');
  });
});

test.each<[Checker['kind'], unknown]>([
  ['exact', 'x'],
  ['contains', 'x'],
  ['numeric', 5],
  ['json', { a: 1 }],
  ['url', 'https://example.com/a'],
  ['date', '2024-03-04'],
  ['currency', '$5'],
  ['duration', '5 min'],
  ['distance', '5 km'],
  ['list', ['a', 'b']],
])('%s gives a verdict and a sentence for any text', (kind, expected) => {
  const parts = fc.constantFrom(
    '$',
    '€',
    '1',
    '.',
    ',',
    '/',
    '-',
    ':',
    ' ',
    '\n',
    'March',
    'https://',
    '(',
    ')',
    '[',
    ']',
    '"',
    '{',
    '½',
    'h',
    'km',
    'and',
    'Answer:',
    '%',
    '\ud800',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts, { maxLength: 40 }).map((all) => all.join('')),
  );
  const checker = checkerSchema.parse({ kind });
  fc.assert(
    fc.property(text, (response) => {
      const { verdict, detail } = checkAnswer({ checker, expected }, response);
      expect(['pass', 'fail']).toContain(verdict);
      expect(detail.reason).toMatch(/\.$/);
    }),
    { numRuns: 300 },
  );
});
