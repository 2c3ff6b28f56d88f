/** What the tasks across sites share. */

export const at = (site: string, path = '/'): string => `http://${site}.waymark.test${path}`;

/** A present value, where the data of every seed have it. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The data of this seed lack what a task needs.');
  return value;
}
