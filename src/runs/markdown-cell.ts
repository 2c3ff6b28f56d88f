/** Characters of a prompt, an answer or a reason in a cell; report.json has all of them. */
const CELL = 200;

/** Text from outside on one line: it must neither end the cell nor become markup. */
export function cell(text: string, limit = CELL): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const cut = line.length > limit ? `${line.slice(0, limit).toWellFormed()}…` : line;
  return cut.replaceAll(/[\\`*_[\]<>|~#&]/g, (mark) => (mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`));
}
