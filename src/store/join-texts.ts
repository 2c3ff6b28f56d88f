/** Texts as one, for PostgreSQL's `string_to_table`, without escapes: they are separated by a character that is in none of them. */

export interface JoinedTexts {
  readonly text: string;
  readonly separator: string;
  /** Stands for null. */
  readonly none: string;
}

const SURROGATES = { first: 0xd800, last: 0xdfff };
const LAST_CHARACTER = 0x10ffff;

export function joinTexts(texts: readonly (string | null)[]): JoinedTexts {
  const unused = unusedCharacters(texts);
  const separator = unused.next().value;
  const none = unused.next().value;
  if (separator === undefined || none === undefined) throw new Error('The texts use every character that there is.');
  return { text: texts.map((text) => text ?? none).join(separator), separator, none };
}

/** Characters that are in none of the texts. The first ones are control characters, which hardly any text has. */
function* unusedCharacters(texts: readonly (string | null)[]): Generator<string, undefined> {
  // From 1: a text of PostgreSQL has no NUL.
  for (let code = 1; code <= LAST_CHARACTER; code++) {
    if (code === SURROGATES.first) code = SURROGATES.last + 1;
    const character = String.fromCodePoint(code);
    if (texts.every((text) => text === null || !text.includes(character))) yield character;
  }
  return undefined;
}
