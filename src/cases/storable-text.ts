/** Text of a page as a database can hold it: NUL and halves of surrogate pairs, which a page cuts out of emojis, become U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The same for all texts in a JSON value, the names of fields included. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [storableText(name), storableJson(field)]));
}
