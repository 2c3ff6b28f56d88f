/** " nightly,  gpt ,nightly, " → ["nightly", "gpt"]. */
export function splitTags(text: string): string[] {
  return [...new Set(text.split(',').flatMap((tag) => tag.trim() || []))];
}
