/**
 * The clipboard of a browser, of which there is only one, whatever the number of its contexts. It is used in turns: for the time of a turn
 * it holds what the slot has on its own clipboard, and what it holds at the end is the slot's again. Between turns its content means nothing.
 */
import type { Session } from '../cdp/session.ts';
import type { ClipboardContent } from './clipboard-content.ts';
import { EXCHANGE_SOURCE } from './in-page-exchange.ts';

/** A page of the harness that may use the clipboard. */
export interface ClipboardPage {
  readonly session: Session;
  evaluate<T>(expression: string): Promise<T>;
}

export interface Turn<T> {
  /** The result of the work, which may still go on when its turn is over. */
  result: Promise<T>;
  left: ClipboardContent;
  /** The work had not ended when its time was over. */
  isCutShort: boolean;
}

/** A dialog that opens while a page handles a key holds back the answer, and the other slots must not wait for it. */
const TURN_MS = 2_000;

const PASTE = { key: 'v', code: 'KeyV', windowsVirtualKeyCode: 86, modifiers: 2 } as const;

export class SharedClipboard {
  readonly #page: ClipboardPage;
  /** The end of the last turn. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(page: ClipboardPage) {
    this.#page = page;
  }

  static async open(page: ClipboardPage): Promise<SharedClipboard> {
    await page.evaluate(EXCHANGE_SOURCE);
    return new SharedClipboard(page);
  }

  /** Runs the work while the browser's clipboard holds the content and no other slot uses it. */
  async turn<T>(content: ClipboardContent, work: () => Promise<T>): Promise<Turn<T>> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      await this.#page.evaluate(`waymarkExchange.put(${JSON.stringify(content)})`);
      const result = work();
      const isCutShort = !(await endsWithin(result, TURN_MS));
      return { result, left: await this.#take(), isCutShort };
    } finally {
      resolve();
    }
  }

  async #take(): Promise<ClipboardContent> {
    const { session } = this.#page;
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['paste'], ...PASTE });
    const [taken] = await Promise.all([
      this.#page.evaluate<ClipboardContent>('waymarkExchange.take()'),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...PASTE }),
    ]);
    return taken;
  }
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const end = (): void => resolve(true);
  // Whoever asked for the work gets its error.
  work.then(end, end);
  return promise.finally(() => clearTimeout(timer));
}
