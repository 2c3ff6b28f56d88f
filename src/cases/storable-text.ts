/**
 * Text from outside as a database can hold it: NUL, and halves of surrogate pairs, which are left where a text is cut inside an emoji, become
 * U+FFFD.
 */
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

/** How JSON writes what `jsonb` refuses. An escaped backslash before it only costs the slower way. */
const REFUSED = /\\u(?:0000|d[89a-f])/i;

/** A JSON value as text for a column of the type `jsonb`. */
export function storableJsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return REFUSED.test(text) ? JSON.stringify(storableJson(value)) : text;
}

/** Whether all texts of a JSON value are as a database can hold them. */
export function isStorableJson(value: unknown): boolean {
  return storableJsonText(value) === JSON.stringify(value);
}
