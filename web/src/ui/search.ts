/** Values out of the address bar, where anything may stand. */

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value);
}

/** Without the keys that have no value: they would stand in the address, and every link would have to name them. */
export function given<T extends object>(search: T): { [K in keyof T]?: T[K] } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<T>;
}
