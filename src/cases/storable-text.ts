/** Text of a page as a database can hold it: NUL and halves of surrogate pairs, which a page cuts out of emojis, become U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
