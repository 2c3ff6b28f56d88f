/** Matches addresses by a substring, or by a pattern in which * matches any text. */

/** @example urlFits('http://a.test/form/done?name=Ada', '*\/form/done?*') // true */
export function urlFits(url: string, pattern: string): boolean {
  if (!pattern.includes('*')) return url.includes(pattern);
  const parts = pattern.split('*');
  let at = 0;
  for (const [i, part] of parts.entries()) {
    if (i === 0) {
      if (!url.startsWith(part)) return false;
      at = part.length;
    } else if (i === parts.length - 1) return url.length - part.length >= at && url.endsWith(part);
    else {
      const found = url.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
  }
  return true;
}
