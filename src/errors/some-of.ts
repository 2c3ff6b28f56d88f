/** A few ids for a sentence; the rest as a number. */
export function someOf(ids: readonly string[], show = 5): string {
  const shown = ids.slice(0, show).join(', ');
  return ids.length > show ? `${shown} and ${ids.length - show} more` : shown;
}
