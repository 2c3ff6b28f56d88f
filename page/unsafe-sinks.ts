/**
 * Ways to turn text into markup or code, and to reach the network. A page that enforces Trusted Types refuses the first;
 * the runtime promises to use none of them.
 */
const SINKS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['innerHTML', /\binnerHTML\b/],
  ['outerHTML', /\bouterHTML\b/],
  ['insertAdjacentHTML', /\binsertAdjacentHTML\b/],
  ['insertHTML', /\binsertHTML\b/i],
  ['setHTMLUnsafe', /\bsetHTML(Unsafe)?\b/],
  ['createContextualFragment', /\bcreateContextualFragment\b/],
  ['DOMParser', /\bDOMParser\b/],
  ['srcdoc', /\bsrcdoc\b/],
  ['document.write', /\bdocument\s*\.\s*write(ln)?\b/],
  ['eval', /\beval\s*\(/],
  ['Function', /\bFunction\s*\(/],
  ['timer with text', /\bset(Timeout|Interval)\s*\(\s*["'`]/],
  ['script element', /createElement\(\s*["'`](script|iframe|object|embed)["'`]/],
  ['import()', /\bimport\s*\(/],
  ['importScripts', /\bimportScripts\b/],
  ['Worker', /\bnew\s+(Shared)?Worker\b/],
  ['fetch', /\bfetch\s*\(/],
  ['XMLHttpRequest', /\bXMLHttpRequest\b/],
  ['WebSocket', /\bWebSocket\b/],
  ['EventSource', /\bEventSource\b/],
  ['sendBeacon', /\bsendBeacon\b/],
  ['synthetic paste', /\bClipboardEvent\b/],
];

/** The names of what is in there. */
export function unsafeSinks(source: string): string[] {
  return SINKS.filter(([, pattern]) => pattern.test(source)).map(([name]) => name);
}
