/**
 * Combines a pack and the runtime: a script to paste, a bookmarklet, or a bookmarklet that asks for the pack's file.
 * Pure text functions, which the server, the command line and the web app use.
 */
import { PACK_FORMAT, type RuntimePack } from './pack.ts';
import type { Selectors } from './selectors.ts';

/** The input of the script that only tests selectors; see runtime/test-selectors.ts. */
export interface SelectorTest {
  /** The origin that the selectors are for; empty until it is entered. */
  readonly origin: string;
  readonly selectors: Selectors;
}

/** Firefox stops at 65,536 characters; browsers and their sync add a little when they store an address. */
export const MAX_BOOKMARKLET = 60_000;

/** A script for the developer tools' console, or a file. */
export function rawScript(pack: RuntimePack, runtime: string): string {
  return `${call(runtime, literal(packForPage(pack)))}\n`;
}

/** A `javascript:` address, or undefined when it would be too long for some browsers. Use `bookmarkletLoader` then. */
export function bookmarklet(pack: RuntimePack, runtime: string): string | undefined {
  const address = toAddress(call(runtime, literal(packForPage(pack))));
  return address.length > MAX_BOOKMARKLET ? undefined : address;
}

/** The runtime alone. On the page it asks for the file that `packFile` made. */
export function bookmarkletLoader(runtime: string): string {
  return toAddress(call(runtime, 'null'));
}

export function packFile(pack: RuntimePack): string {
  return `${JSON.stringify(packForPage(pack))}\n`;
}

/** How long the bookmarklet is, for a size meter, whether or not it is too long. */
export function bookmarkletLength(pack: RuntimePack, runtime: string): number {
  return toAddress(call(runtime, literal(packForPage(pack)))).length;
}

/** For the console: tests selectors on the page and shows what they match. It sends nothing. */
export function testScript({ origin, selectors }: SelectorTest, test: string): string {
  return `${call(test, literal({ origin, selectors }))}\n`;
}

/** The same as an address. It is never too long, because there are few selectors. */
export function testBookmarklet({ origin, selectors }: SelectorTest, test: string): string {
  return toAddress(call(test, literal({ origin, selectors })));
}

/** Copies field by field, so that other fields of the caller's object, such as an answer, can't leak. */
export function packForPage(pack: RuntimePack): RuntimePack {
  const { target, judge, selectors, settings } = pack;
  return {
    format: PACK_FORMAT,
    pack_id: pack.pack_id,
    dataset_token: pack.dataset_token,
    expires_at: pack.expires_at,
    label: pack.label,
    target: { preset: target.preset, origin: target.origin, display_name: target.display_name },
    judge: judge && { provider_id: judge.provider_id, model: judge.model, prompt: judge.prompt },
    items: pack.items.map(({ id, prompt_text }) => ({ id, prompt_text })),
    preset_revision: pack.preset_revision,
    selectors: {
      composer: selectors.composer,
      send: selectors.send,
      busy: selectors.busy,
      assistant_turn: selectors.assistant_turn,
      assistant_body: selectors.assistant_body,
      done: selectors.done,
      new_chat: selectors.new_chat,
      model_label: selectors.model_label,
    },
    notices: pack.notices.map(({ code, phrases }) => ({ code, phrases })),
    settings: { ...settings },
  };
}

/** `void` is needed because a `javascript:` address with a string value would replace the page. */
function call(runtime: string, argument: string): string {
  return `void(${runtime})(${argument});`;
}

/**
 * JSON that is also safe as script text inside HTML: no `<`, so no `</script>` and no `<!--`, and nothing beyond ASCII, so
 * no U+2028 and no encoding problems. In an address `\uXXXX` is never longer than the browser's own escapes.
 */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Escapes only what an address would lose or change: `%` (unescaped before the script runs), `#` (begins a fragment), line breaks
 * and tabs (removed by the parser), spaces (trimmed and folded where people paste), and quotes and brackets of HTML attributes.
 */
function toAddress(script: string): string {
  return `javascript:${script.replace(/[%#"<>\s]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)}`;
}
