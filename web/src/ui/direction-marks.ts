/** Characters that change the direction of text, without being seen: marks, embeddings, overrides and isolates. */
const MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** "invoice[U+202E]gpj.exe", which a browser would show as "invoiceexe.jpg". */
export function showMarks(text: string): string {
  return text.replace(MARKS, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
