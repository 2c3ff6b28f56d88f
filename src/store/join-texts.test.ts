import { describe, expect, it } from 'vitest';
import { joinTexts } from './join-texts.ts';

/** What PostgreSQL's string_to_table does. */
const split = ({ text, separator, none }: ReturnType<typeof joinTexts>) =>
  text.split(separator).map((part) => (part === none ? null : part));

describe('joinTexts', () => {
  it('is undone by splitting, whatever is in the texts', () => {
    const everyControl = Array.from({ length: 31 }, (_, index) => String.fromCodePoint(index + 1)).join('');
    for (const texts of [
      ['a', 'b'],
      ['', ''],
      [null, '', null],
      ['\u0001', '\u0002', '\u0001\u0002', null],
      [everyControl, everyControl.repeat(2), null, ' !"#'],
      ['a\nb', '{"a":"\\u0001"}', '\\N', 'straße 😀'],
    ]) {
      expect(split(joinTexts(texts))).toEqual(texts);
    }
  });

  it('skips what can not stand alone in UTF-8', () => {
    const allBefore = Array.from({ length: 0xd7ff }, (_, index) => String.fromCharCode(index + 1)).join('');
    const joined = joinTexts([allBefore, null]);
    expect([joined.separator, joined.none]).toEqual(['\ue000', '\ue001']);
  });
});
