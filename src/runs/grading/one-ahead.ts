/** The same values, of which the next is being made while the reader has one. */
export async function* oneAhead<T>(source: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It is awaited later: until then, a failure must not count as unhandled.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await source.return();
  }
}
