/** The entry point: refuses to start where it must, and otherwise runs. Only one copy runs in a page. */
import { askForPack } from './ask-for-pack.ts';
import { readPack } from './read-pack.ts';
import { refuse, whyNotHere } from './refusal.ts';
import { Run } from './run.ts';

declare global {
  interface Window {
    __EVAL752_BROWSER_HARNESS__?: { readonly isRunning: boolean; close(): void };
  }
}

/** Without a pack: asks for one. */
export function start(pack: unknown): void {
  if (window.top !== window.self) {
    return refuse('This is a frame inside another page. Open the chat in a tab of its own.');
  }
  if (window.__EVAL752_BROWSER_HARNESS__?.isRunning) return refuse('A run is going on in this page already.');
  if (pack === null) return askForPack((chosen) => start(chosen ?? {}));
  const read = readPack(pack);
  if (!read) return refuse('This is not a Browser Harness pack, or it is for another version.');
  const reason = whyNotHere(read, Date.now());
  if (reason) return refuse(reason);
  // A run that has ended leaves its panel for its last download.
  window.__EVAL752_BROWSER_HARNESS__?.close();
  const run = new Run(read);
  window.__EVAL752_BROWSER_HARNESS__ = run;
  void run.go().then((problems) => {
    if (problems.length === 0) return;
    run.close();
    refuse(...problems, 'Nothing was sent.');
  });
}
