/** What differs between two states, as a list that does not depend on the order in which things were done. */

export interface Change {
  /** `cart.kettle-ardent`: names joined with a point. */
  readonly path: string;
  /** Null where there was nothing. */
  readonly was: unknown;
  readonly is: unknown;
}

/**
 * Objects are compared field by field, everything else as a whole.
 *
 * @example
 * changesOf({ cart: {} }, { cart: { lamp: 2 } }); // => [{ path: 'cart.lamp', was: null, is: 2 }]
 */
export function changesOf(before: unknown, after: unknown, path = ''): Change[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) => changesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, was: before ?? null, is: after ?? null }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
