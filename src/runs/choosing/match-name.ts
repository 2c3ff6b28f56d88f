/**
 * `--filter`: a part of the name, or with `*` the whole name. No regular expression: whatever is given, matching takes linear time.
 *
 * @example
 * matchesName('shop-order', 'shop-*'); // => true
 */
export function matchesName(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  if (rest.length === 0) return text.includes(first);
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
