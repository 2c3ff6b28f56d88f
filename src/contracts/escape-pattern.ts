/** A text as a part of a regular expression that means just that text. (`RegExp.escape` is not in the types yet.) */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
