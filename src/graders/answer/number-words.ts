/** "six", "forty-two": English words for numbers below a hundred, for answers that have no digits at all. */
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const WORDS = new RegExp(
  String.raw`\b(?:(${TENS.join('|')})(?:[-\s](${ONES.slice(1, 10).join('|')}))?|(${ONES.join('|')})|(hundred))\b`,
  'gi',
);

/** The last number word; undefined if there is none. "One" is mostly a pronoun, so it counts only if it is the only word. */
export function lastNumberWord(text: string): number | undefined {
  let last: number | undefined;
  for (const [, tens, ones, small, hundred] of text.matchAll(WORDS)) {
    if (hundred !== undefined) last = last !== undefined && last < 10 ? last * 100 : 100;
    else if (tens !== undefined)
      last = (TENS.indexOf(tens.toLowerCase()) + 2) * 10 + Math.max(0, ONES.indexOf(ones?.toLowerCase() ?? 'zero'));
    else if (small !== undefined && !(small.toLowerCase() === 'one' && last !== undefined))
      last = ONES.indexOf(small.toLowerCase());
  }
  return last;
}
