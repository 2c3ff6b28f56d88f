/** One section of a page that is written by hand: what stands between its two markers is replaced, everything else stays. */

/** @example putSection('# Results\n', 'web-ten', 'A table.') */
export function putSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const section = `${begin}\n\n${content.trim()}\n\n${end}`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0) return `${page.trimEnd()}\n\n${section}\n`;
  if (to < 0) throw new Error(`The page has "${begin}" and no "${end}" after it.`);
  return `${page.slice(0, from)}${section}${page.slice(to + end.length)}`;
}
