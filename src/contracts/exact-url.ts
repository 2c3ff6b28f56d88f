/** The one URL that a pattern matches: an anchored pattern without anything but literal characters. Undefined for every other pattern. */

/** Anchored on both sides; inside, literal characters and escaped punctuation. */
const EXACT = /^\^((?:[^\\^$.|?*+()[\]{}]|\\[^A-Za-z0-9])+)\$$/;

/**
 * @example
 * exactUrlOf('^http://shop\\.test/cart$'); // 'http://shop.test/cart'
 * exactUrlOf('/orders/[0-9]+$'); // undefined
 */
export function exactUrlOf(pattern: string): string | undefined {
  const url = EXACT.exec(pattern)?.[1]?.replaceAll(/\\(.)/gu, '$1');
  return url !== undefined && URL.canParse(url) ? url : undefined;
}
