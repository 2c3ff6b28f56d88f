/** Which addresses a page may be sent to: the web only. Other addresses show the machine's files or the browser's own pages. */

const WEB_SCHEMES = new Set(['http:', 'https:', 'data:', 'blob:']);

/**
 * Refused: `file:` (the disk, which holds the answers of tasks), `chrome:` and similar schemes. Some of these addresses crash the whole browser (seen in
 * headless-shell: chrome://inducebrowsercrashforrealz, and chrome://process-internals), and others show every context.
 */
export function isWebUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return WEB_SCHEMES.has(protocol) || (protocol === 'about:' && pathname === 'blank');
}
