/** The beginning of a long text, and the length of the whole. */
export interface Clipped {
  text: string;
  /** The length of the whole text. */
  length: number;
  isCut: boolean;
}

export function clip(text: string, limit: number, length: number = text.length): Clipped {
  const kept = text.slice(0, limit);
  return { text: kept.toWellFormed(), length, isCut: kept.length < length };
}

/** Shortens a text for use inside a sentence. */
export function short(text: string, limit = 160): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}
