/** Yields one line at a time, so that a file of 64 MB is not copied. */
export function* linesOf(text: string): Generator<{ line: string; number: number }> {
  let start = 0;
  for (let number = 1; start < text.length; number++) {
    const end = text.indexOf('\n', start);
    yield { line: text.slice(start, end < 0 ? text.length : end), number };
    if (end < 0) return;
    start = end + 1;
  }
}
