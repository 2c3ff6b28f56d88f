/** What was sent or received, as a value with fields: JSON, or a form in either of its encodings. */

/** Undefined where it is neither. */
export function readContent({ mediaType, text }: { mediaType: string; text: string }): unknown {
  if (mediaType.includes('application/x-www-form-urlencoded')) return firstOfEach(new URLSearchParams(text));
  if (mediaType.includes('multipart/form-data')) {
    const boundary = /boundary="?([^";\s]+)/.exec(mediaType)?.[1];
    return boundary === undefined ? undefined : firstOfEach(multipart(text, boundary));
  }
  // Beacons and many scripts send JSON as plain text.
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function firstOfEach(pairs: Iterable<[string, string]>): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of pairs) fields[name] ??= value;
  return fields;
}

function* multipart(text: string, boundary: string): Iterable<[string, string]> {
  for (const part of text.split(`--${boundary}`)) {
    const [, head, body] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n?$/.exec(part) ?? [];
    const name = /^content-disposition:[^\r\n]*?[; ]name="([^"]+)"/im.exec(head ?? '')?.[1];
    if (name !== undefined && body !== undefined) yield [name, body];
  }
}
