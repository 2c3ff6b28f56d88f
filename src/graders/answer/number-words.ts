/** English words for numbers ("one hundred and twenty", "forty-two", "minus three point five"), for answers that have no digits at all. */
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const LARGE = ['thousand', 'million', 'billion', 'trillion'];

const VALUES: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, index): [string, number] => [word, index]),
  ...TENS.map((word, index): [string, number] => [word, (index + 2) * 10]),
]);

const WORD = [...VALUES.keys(), 'hundred', 'dozen', ...LARGE].join('|');
const PHRASE = new RegExp(
  String.raw`\b(?:(minus|negative)\s)?((?:an?\s(?=hundred|dozen|${LARGE.join('|')}))?(?:${WORD})(?:(?:[-\s]|\sand\s)(?:${WORD}))*)(?:\spoint((?:\s(?:${ONES.slice(0, 10).join('|')}))+))?\b`,
  'gi',
);

/** The last number in words; undefined if there is none. "One" is mostly a pronoun, so it counts only if it is the only one. */
export function lastNumberWord(text: string): number | undefined {
  let last: number | undefined;
  for (const [, minus, phrase = '', decimals] of text.matchAll(PHRASE)) {
    const words = phrase
      .toLowerCase()
      .split(/[-\s]+/)
      .filter((word) => word !== 'and' && word !== 'a' && word !== 'an');
    if (words.length === 1 && words[0] === 'one' && decimals === undefined && last !== undefined) continue;
    const value = sumOf(words) + decimalsOf(decimals);
    last = minus === undefined ? value : -value;
  }
  return last;
}

/** "Two" followed by "three" is no number of one phrase: the later one counts, as in a list. */
function sumOf(words: readonly string[]): number {
  let total = 0;
  let group = 0;
  for (const word of words) {
    const value = VALUES.get(word);
    const large = LARGE.indexOf(word);
    if (value !== undefined) group = canFollow(group, value) ? group + value : value;
    else if (word === 'hundred') group = (group === 0 ? 1 : group) * 100;
    else if (word === 'dozen') group = (group === 0 ? 1 : group) * 12;
    else if (large >= 0) {
      total += (group === 0 ? 1 : group) * 1000 ** (large + 1);
      group = 0;
    }
  }
  return total + group;
}

function canFollow(group: number, value: number): boolean {
  return group === 0 || (group % 100 === 0 && value < 100) || (group % 10 === 0 && group % 100 >= 20 && value < 10);
}

function decimalsOf(words: string | undefined): number {
  const digits = words
    ?.trim()
    .toLowerCase()
    .split(/\s+/)
    .map((word) => ONES.indexOf(word))
    .join('');
  return digits === undefined ? 0 : Number(`0.${digits}`);
}
