/** What a clipboard holds. */
export interface ClipboardContent {
  /** Texts by their types: `text/plain`, `text/html`, and whatever a page has invented. */
  readonly texts: Readonly<Record<string, string>>;
  /** A PNG, in base64. */
  readonly picture?: string;
}

export const EMPTY_CLIPBOARD: ClipboardContent = { texts: {} };

export function kindsOf({ texts, picture }: ClipboardContent): string[] {
  return [...Object.keys(texts), ...(picture === undefined ? [] : ['image/png'])];
}
