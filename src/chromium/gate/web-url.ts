/** Where a page may be sent: to the web. The rest of what a browser can show is the machine's or the browser's own. */

const WEB_SCHEMES = new Set(['http:', 'https:', 'data:', 'blob:']);

/**
 * Refused: `file:` (the harness's disk, answers of tasks included), `chrome:` and the like. Some of these end the whole browser (seen in
 * headless-shell: chrome://inducebrowsercrashforrealz, and chrome://process-internals), and others show every context.
 */
export function isWebUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return WEB_SCHEMES.has(protocol) || (protocol === 'about:' && pathname === 'blank');
}
