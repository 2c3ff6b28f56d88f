/** A value that is not the right one and looks like it: another digit in a number, another letter in a word. */

const NOTHING_WRITTEN = 'x';

/**
 * Always another text than the given one.
 *
 * @example
 * wrongValue('Kai 7'); // => 'Kai 8'
 * wrongValue('Ines Holm'); // => 'Ines Holn'
 */
export function wrongValue(text: string): string {
  // The value of a secret is not known here.
  if (text.includes('{{secret:')) return `${text}${NOTHING_WRITTEN}`;
  const index = text.search(/[\p{L}\p{N}][^\p{L}\p{N}]*$/u);
  if (index < 0) return `${text}${NOTHING_WRITTEN}`;
  const [last = ''] = text.slice(index);
  return `${text.slice(0, index)}${another(last)}${text.slice(index + last.length)}`;
}

function another(character: string): string {
  if (/\d/.test(character)) return String((Number(character) + 1) % 10);
  if (/[a-y]/i.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  return character === 'z' || character === 'Z' ? 'a' : NOTHING_WRITTEN;
}
