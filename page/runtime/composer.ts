/** Writing into the composer and reading it back. */

function isTextField(element: Element): element is HTMLTextAreaElement | HTMLInputElement {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
}

export function isEditable(element: HTMLElement): boolean {
  return isTextField(element) ? !element.readOnly && !element.disabled : element.isContentEditable;
}

export function readComposer(element: HTMLElement): string {
  if (isTextField(element)) return element.value;
  return element.innerText || element.textContent || '';
}

/** Puts the text in place of what is there. False: the editor did not take it. */
export function fillComposer(element: HTMLElement, text: string): boolean {
  if (isTextField(element)) return fillField(element, text);
  element.focus();
  window.getSelection()?.selectAllChildren(element);
  if (readComposer(element).trim() !== '' && !document.execCommand('delete')) return false;
  if (text === '') return true;
  // Editors listen to what a keyboard does. A synthetic paste would be ignored or, worse, taken for a file.
  return text.split(/\r\n|\r|\n/).every((line, index) => {
    // A line break is Shift+Enter; a paragraph would be Enter, which sends in some editors.
    if (index > 0 && !document.execCommand('insertLineBreak')) return false;
    return line === '' || document.execCommand('insertText', false, line);
  });
}

function fillField(field: HTMLTextAreaElement | HTMLInputElement, text: string): boolean {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  // Frameworks replace the element's own setter to see changes of their own; the native one lets the event be news to them.
  const set = Object.getOwnPropertyDescriptor(prototype, 'value')?.set;
  if (!set) return false;
  set.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  return true;
}

/** Editors keep no trailing spaces, turn spaces into no-break ones and add zero-width marks: none of it is a difference. */
export function sameText(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

export function plain(text: string): string {
  return text
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
