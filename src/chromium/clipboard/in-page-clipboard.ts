/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Runs in every page, before its scripts. Copies that a page makes by itself go to the clipboard of its slot, and not to that of the browser,
 * which all slots share: `navigator.clipboard` takes its turn there, and `execCommand` of copy and cut, which can't wait for one, is done here.
 */
import { type Dom, makeDom } from '../in-page-dom.ts';
import type { ClipboardContent } from './clipboard-content.ts';

/** The name of the function by which a page calls the harness. It is removed before the page's own scripts run. */
export const CLIPBOARD_BINDING = 'waymarkClipboard';

export type ClipboardMessage = { what: 'put'; content: ClipboardContent } | { what: 'begin' | 'end'; id: number };

/** The name under which the harness finds the page's part, to tell it that its turn has come. */
export const TURN_SYMBOL = 'waymark.clipboard';

/** Its source text is sent to the page, so it must not use anything from outside itself. */
function installClipboard(dom: Dom, binding: string, symbol: string): void {
  const home = globalThis as unknown as Record<string | symbol, unknown>;
  const call = home[binding] as ((payload: string) => void) | undefined;
  if (!call) return;
  delete home[binding];
  const tell = (message: ClipboardMessage): void => call(JSON.stringify(message));

  const waiting = new Map<number, () => void>();
  let turns = 0;
  Object.defineProperty(home, Symbol.for(symbol), { value: (id: number) => waiting.get(id)?.() });

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const id = ++turns;
    const begun = new Promise<void>((resolve) => waiting.set(id, resolve));
    tell({ what: 'begin', id });
    await begun;
    waiting.delete(id);
    try {
      return await work();
    } finally {
      tell({ what: 'end', id });
    }
  }

  /** Without the permission the browser refuses to read, and there is no need for a turn. */
  async function mayRead(): Promise<boolean> {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
    return state === 'granted';
  }

  // Insecure pages have no such interface.
  const methods = (globalThis.Clipboard?.prototype ?? {}) as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  for (const name of ['read', 'readText', 'write', 'writeText']) {
    const native = methods[name];
    if (!native) continue;
    const wrapped = {
      async [name](this: unknown, ...args: unknown[]): Promise<unknown> {
        const act = (): Promise<unknown> => native.apply(this, args);
        return name.startsWith('read') && !(await mayRead()) ? act() : inTurn(act);
      },
    };
    Object.defineProperty(methods, name, {
      value: wrapped[name],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  // In the page's own world, images and forms hide properties of the document too.
  const { execCommand, queryCommandEnabled, getSelection, createElement } = Document.prototype;
  const active = Object.getOwnPropertyDescriptor(Document.prototype, 'activeElement')?.get as () => Element | null;

  function focused(element: Element | null): Element | null {
    const inside = element && dom.shadowRoot(element)?.activeElement;
    return inside ? focused(inside) : element;
  }

  /** The text that is selected in a field, or null where the focus is not in one. */
  function selectedIn(element: Element | null): string | null {
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return null;
    const { selectionStart, selectionEnd, value, type } = element;
    if (type === 'password' || selectionStart === null || selectionEnd === null) return null;
    return value.slice(selectionStart, selectionEnd);
  }

  function fill(data: DataTransfer, inField: string | null, selection: Selection | null): void {
    data.setData('text/plain', inField ?? selection?.toString() ?? '');
    if (inField !== null || !selection || selection.rangeCount === 0) return;
    const holder = createElement.call(document, 'div');
    holder.append(selection.getRangeAt(0).cloneContents());
    data.setData('text/html', holder.innerHTML);
  }

  function copy(command: 'copy' | 'cut'): boolean {
    const element = focused(active.call(document));
    const inField = selectedIn(element);
    const selection = getSelection.call(document);
    const anchor = selection?.anchorNode ?? null;
    const target =
      inField === null ? (anchor instanceof Element ? anchor : anchor && dom.parentElement(anchor)) : element;
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent(command, { clipboardData, bubbles: true, cancelable: true, composed: true });
    if (dom.dispatchEvent(target ?? document, event)) {
      fill(clipboardData, inField, selection);
      if (command === 'cut') execCommand.call(document, 'delete');
    }
    const texts = Object.fromEntries(clipboardData.types.map((type) => [type, clipboardData.getData(type)]));
    tell({ what: 'put', content: { texts } });
    return true;
  }

  Object.defineProperty(Document.prototype, 'execCommand', {
    value: function (this: Document, command: string, ...rest: [boolean?, string?]): boolean {
      const name = String(command).toLowerCase();
      const isCopy = (name === 'copy' || name === 'cut') && this === document;
      return isCopy && queryCommandEnabled.call(document, name) ? copy(name) : execCommand.call(this, command, ...rest);
    },
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

export const CLIPBOARD_SOURCE = `(${installClipboard.toString()})((${makeDom.toString()})(), ${JSON.stringify(CLIPBOARD_BINDING)}, ${JSON.stringify(TURN_SYMBOL)})`;
