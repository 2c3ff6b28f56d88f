/// <reference lib="dom" />
/**
 * Runs in the page. A caret that blinks is drawn twice a second: 5 ms of CPU a second for each page with a focused field, a fifth of the cost
 * of a step of an agent that thinks for three seconds; and pictures of the same page differ by it. It is held by a style sheet of the lowest
 * weight in the document's list of adopted ones: a page can see it there, and its own `caret-animation` comes first.
 */

/** Its source text is sent to the page, so it must not use anything from outside itself. */
export function holdCaret(): void {
  const sheet = new CSSStyleSheet();
  // The property is inherited, also into shadow roots. Browsers that do not know it ignore the rule.
  sheet.replaceSync(':where(:root) { caret-animation: manual }');
  document.adoptedStyleSheets.push(sheet);
}
