/**
 * The text of an answer, node by node. `innerText` is empty while a page keeps a turn hidden, and `textContent` glues
 * paragraphs and list items together, so that "A" and "B" become "AB".
 */
const BLOCKS = new Set(
  'ADDRESS ARTICLE BLOCKQUOTE DD DIV DL DT FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);
/** Controls inside an answer ("Copy code") and what is never shown. */
const SKIPPED = new Set('BUTTON NOSCRIPT SCRIPT STYLE SVG TEMPLATE'.split(' '));

export function textOf(elements: readonly Element[]): string {
  const parts: string[] = [];
  for (const element of elements) {
    write(element, parts, false);
    parts.push('\n');
  }
  return parts
    .join('')
    .replace(/[ \t]*\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replaceAll('\u0000', ' ');
}

function write(node: Node, parts: string[], isPre: boolean): void {
  if (node instanceof Text) {
    // Spaces of code are kept through the clean-up above as NUL, which no page can contain.
    parts.push(isPre ? node.data.replaceAll(' ', '\u0000') : node.data.replace(/[^\S\u00a0]+/g, ' '));
    return;
  }
  if (!(node instanceof Element) || SKIPPED.has(node.tagName.toUpperCase())) return;
  // A formula stands there twice, for the eye and for screen readers; its source is the one that can be read.
  const formula = node.classList.contains('katex') ? node.querySelector('annotation')?.textContent : undefined;
  if (formula) {
    parts.push(`$${formula}$`);
    return;
  }
  if (node.tagName === 'BR') parts.push('\n');
  const isBlock = BLOCKS.has(node.tagName);
  if (isBlock) parts.push('\n');
  for (const child of node.childNodes) write(child, parts, isPre || node.tagName === 'PRE');
  if (node.tagName === 'TD' || node.tagName === 'TH') parts.push('\t');
  if (isBlock) parts.push('\n');
}
