/** The pages of the BrowserOS stand-in, by CDP: it numbers them, and finds them by the commands for tabs that its browser has. */
import type { RawClient } from '../../support/raw-client.ts';

interface Tab {
  tabId: number;
  targetId: string;
  url: string;
  title: string;
}
export interface ListedPage extends Tab {
  pageId: number;
}

const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
const KEY_CODES: Readonly<Record<string, number>> = { Enter: 13, End: 35, Delete: 46 };

export class BrowserOsPages {
  readonly #client: RawClient;
  readonly #tabs: 'browseros' | 'chromium';
  readonly #numbers = new Map<string, number>();
  readonly #sessions = new Map<string, string>();

  constructor(client: RawClient, tabs: 'browseros' | 'chromium') {
    this.#client = client;
    this.#tabs = tabs;
  }

  async list(): Promise<ListedPage[]> {
    return (await this.#listTabs()).map((tab) => {
      const pageId = this.#numbers.get(tab.targetId) ?? this.#numbers.size + 1;
      this.#numbers.set(tab.targetId, pageId);
      return { pageId, ...tab };
    });
  }

  async #listTabs(): Promise<Tab[]> {
    if (this.#tabs === 'browseros')
      return (await this.#client.send('Browser.getTabs', { includeHidden: true }))['tabs'] as Tab[];
    const { targetInfos } = await this.#client.send('Target.getTargets');
    const pages = (targetInfos as (Tab & { type: string })[]).filter(({ type }) => type === 'page');
    return pages.map(({ targetId, url, title }, index) => ({ tabId: index + 1, targetId, url, title }));
  }

  async open(url: string): Promise<number> {
    const created = await this.#client.send('Browser.createTab', { url });
    const { tabId } = created['tab'] as Tab;
    const { targetId } = (await this.#client.send('Browser.getTabInfo', { tabId }))['tab'] as Tab;
    const pageId = this.#numbers.size + 1;
    this.#numbers.set(targetId, pageId);
    await this.#loaded(pageId);
    return pageId;
  }

  async close(page: number): Promise<void> {
    const found = (await this.list()).find(({ pageId }) => pageId === page);
    if (!found) throw new Error(`Unknown page ${page}. Use list_pages to see available pages.`);
    await this.#client.send('Browser.closeTab', { tabId: found.tabId });
  }

  async go(page: number, action: string, url: string | undefined): Promise<void> {
    if (action === 'url') await this.#send(page, 'Page.navigate', { url });
    else if (action === 'reload') await this.#send(page, 'Page.reload');
    else await this.evaluate(page, `history.${action}()`);
    await this.#loaded(page);
  }

  read(page: number): Promise<string> {
    return this.evaluate(page, 'document.body.innerText');
  }

  async evaluate(page: number, expression: string): Promise<string> {
    const args = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.#send(page, 'Runtime.evaluate', args);
    if (exceptionDetails) {
      const { exception } = exceptionDetails as { exception?: { description?: string } };
      throw new Error(`Script error: ${exception?.description}`);
    }
    const { value } = result as { value?: unknown };
    return typeof value === 'string' ? value : String(JSON.stringify(value, null, 2));
  }

  async click(page: number, at: { x: number; y: number; button: string; clickCount: number }): Promise<void> {
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.#send(page, 'Input.dispatchMouseEvent', { type, ...at });
  }

  async type(page: number, text: string): Promise<void> {
    for (const character of text) await this.press(page, character);
  }

  async press(page: number, combination: string): Promise<void> {
    const parts = combination === '+' ? ['+'] : combination.split('+');
    const key = parts.at(-1) ?? '';
    const modifiers = parts.slice(0, -1).reduce((sum, name) => sum + (MODIFIERS[name] ?? 0), 0);
    const letter = key === 'Enter' ? '\r' : key.length === 1 && modifiers === 0 ? key : undefined;
    const code = KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0);
    const common = { key, modifiers, windowsVirtualKeyCode: code };
    await this.#send(page, 'Input.dispatchKeyEvent', {
      type: 'keyDown',
      ...common,
      ...(letter ? { text: letter } : {}),
    });
    await this.#send(page, 'Input.dispatchKeyEvent', { type: 'keyUp', ...common });
  }

  async #loaded(page: number): Promise<void> {
    const ready =
      'new Promise((done) => document.readyState === "complete" ? done() : addEventListener("load", () => done()))';
    // A page that is being left answers no more; the next one is asked then.
    while ((await this.evaluate(page, ready).catch(() => 'left')) === 'left');
  }

  async #send(page: number, method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const targetId = [...this.#numbers].find(([, number]) => number === page)?.[0];
    if (targetId === undefined) throw new Error(`Unknown page ${page}. Use list_pages to see available pages.`);
    const sessionId = this.#sessions.get(targetId) ?? (await this.#client.attach(targetId));
    this.#sessions.set(targetId, sessionId);
    return this.#client.send(method, params, sessionId);
  }
}
