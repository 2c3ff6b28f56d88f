/** Works on a list with a few at once. After a failure nothing more is begun, and what was begun is awaited: nothing goes on behind the caller's back. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      while (next < items.length && failures.length === 0) {
        const index = next++;
        try {
          results[index] = await work(items[index] as T);
        } catch (thrown) {
          failures.push(thrown);
        }
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
  return results;
}
