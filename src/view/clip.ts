/** A long text's beginning, and how much there is of it. */
export interface Clipped {
  text: string;
  /** Of the whole. */
  length: number;
  isCut: boolean;
}

export function clip(text: string, limit: number, length: number = text.length): Clipped {
  const kept = text.slice(0, limit);
  return { text: kept.toWellFormed(), length, isCut: kept.length < length };
}

/** For the middle of a sentence. */
export function short(text: string, limit = 160): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}
