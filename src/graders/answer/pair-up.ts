/** Pairs as many elements as possible, each with one that fits it. Needed where one element fits several: with a tolerance, or with alternatives. */

/** @returns the indexes of the left elements that have a partner. */
export function pairUp<L, R>(
  left: readonly L[],
  right: readonly R[],
  fits: (one: L, other: R) => boolean,
): ReadonlySet<number> {
  const partners = left.map((one) => right.flatMap((other, index) => (fits(one, other) ? [index] : [])));
  const takenBy = new Map<number, number>();
  const place = (at: number, tried: Set<number>): boolean =>
    (partners[at] ?? []).some((partner) => {
      if (tried.has(partner)) return false;
      tried.add(partner);
      const holder = takenBy.get(partner);
      if (holder !== undefined && !place(holder, tried)) return false;
      takenBy.set(partner, at);
      return true;
    });
  for (const at of left.keys()) place(at, new Set());
  return new Set(takenBy.values());
}
