/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the harness's own page of a browser, which puts contents on the browser's clipboard and takes them from it, with all their types. */
import type { ClipboardContent } from './clipboard-content.ts';

export interface Exchange {
  put(content: ClipboardContent): Promise<void>;
  /** What the last paste into this page brought. */
  take(): Promise<ClipboardContent>;
}

/** Its source text is sent to the page, so it must not use anything from outside itself. */
function installExchange(): void {
  const field = document.createElement('textarea');
  document.body.append(field);
  field.focus();
  let offered: Readonly<Record<string, string>> = {};
  let pasted: { texts: Record<string, string>; picture?: File | undefined } = { texts: {} };

  // The events of copy and paste carry every type that a page can set; the asynchronous interface knows text, HTML and PNG only.
  addEventListener('copy', (event) => {
    event.preventDefault();
    for (const [type, text] of Object.entries(offered)) event.clipboardData?.setData(type, text);
  });
  addEventListener('paste', (event) => {
    event.preventDefault();
    const { items = [], types = [] } = event.clipboardData ?? {};
    const picture = [...items].find(({ type }) => type === 'image/png')?.getAsFile() ?? undefined;
    const texts = types
      .filter((type) => type !== 'Files')
      .map((type) => [type, event.clipboardData?.getData(type) ?? ''])
      .filter(([, text]) => text !== '');
    pasted = { texts: Object.fromEntries(texts), picture };
  });

  const exchange: Exchange = {
    async put({ texts, picture }) {
      field.focus();
      // A copy of nothing changes nothing, and an empty text empties the clipboard.
      if (picture === undefined && Object.keys(texts).length === 0) return navigator.clipboard.writeText('');
      if (picture === undefined) {
        offered = texts;
        if (!document.execCommand('copy')) throw new Error('The clipboard could not be written.');
        return;
      }
      const bytes = Uint8Array.from(atob(picture), (byte) => byte.charCodeAt(0));
      const png = new Blob([bytes], { type: 'image/png' });
      const known = Object.entries(texts).filter(([type]) => type === 'text/plain' || type === 'text/html');
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': png, ...Object.fromEntries(known) })]);
    },
    async take() {
      const { texts, picture } = pasted;
      pasted = { texts: {} };
      if (!picture) return { texts };
      const bytes = new Uint8Array(await picture.arrayBuffer());
      return { texts, picture: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
    },
  };
  Object.assign(globalThis, { waymarkExchange: exchange });
}

export const EXCHANGE_SOURCE = `(${installExchange.toString()})()`;
