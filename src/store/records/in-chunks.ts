/** Rows in portions: a statement takes at most 65,535 parameters. */
export function inChunks<T>(rows: readonly T[], size = 500): T[][] {
  const chunks: T[][] = [];
  for (let from = 0; from < rows.length; from += size) chunks.push(rows.slice(from, from + size));
  return chunks;
}
