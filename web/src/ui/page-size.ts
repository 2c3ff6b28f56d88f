/** Rows of a list at once: fewer on a phone, where each of them is a card. */
export function pageSize(): number {
  return window.matchMedia('(max-width: 40rem)').matches ? 10 : 25;
}
