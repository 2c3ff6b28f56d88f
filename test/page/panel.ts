/** The runtime's panel as a user sees it: its text, and real clicks and keys. Only CDP can see into its closed shadow root. */
import { expect, vi } from 'vitest';
import type { Protocol, Session } from '../../src/chromium/index.ts';

type Node = Protocol.DOM.Node;

export class Panel {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The text of all panels without hidden parts; empty if there is no panel. */
  async text(): Promise<string> {
    const texts = await Promise.all(
      (await this.#hosts()).map((host) => this.#call<string>(host, 'e => e.textContent')),
    );
    return texts.join('\n');
  }

  async says(words: string | RegExp, timeout = 30_000): Promise<void> {
    await vi.waitFor(async () => expect(await this.text()).toMatch(words), { timeout, interval: 50 });
  }

  async click(name: string): Promise<void> {
    const button = await this.#button(name);
    const { model } = await this.#session.send('DOM.getBoxModel', { backendNodeId: button.backendNodeId });
    const [x0 = 0, y0 = 0, , , x1 = 0, y1 = 0] = model.content;
    const at = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, button: 'left', clickCount: 1 } as const;
    await this.#session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
    await this.#session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
  }

  async focus(name: string): Promise<void> {
    const button = await this.#button(name);
    await this.#session.send('DOM.focus', { backendNodeId: button.backendNodeId });
  }

  async find(match: (node: Node) => boolean): Promise<Node | undefined> {
    for (const host of await this.#hosts()) {
      const found = walk(host, match);
      if (found) return found;
    }
    return undefined;
  }

  /** Calls a function of the page with an element of the panel. */
  async call<T>(match: (node: Node) => boolean, source: string): Promise<T> {
    const node = await this.find(match);
    if (!node) throw new Error('The panel has no such element.');
    return this.#call<T>(node, source);
  }

  async #button(name: string): Promise<Node> {
    const button = await this.find((node) => node.localName === 'button' && textOf(node) === name);
    if (!button) throw new Error(`The panel has no button “${name}”.`);
    return button;
  }

  async #call<T>(node: Node, source: string): Promise<T> {
    const { object } = await this.#session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
    const { result } = await this.#session.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration: `function () { return (${source})(this); }`,
      returnByValue: true,
    });
    return result.value as T;
  }

  async #hosts(): Promise<Node[]> {
    const { root } = await this.#session.send('DOM.getDocument', { depth: -1, pierce: true });
    const hosts: Node[] = [];
    walk(root, (node) => {
      if (node.localName === 'eval752-panel') hosts.push(...(node.shadowRoots ?? []));
      return false;
    });
    return hosts;
  }
}

function textOf(node: Node): string {
  return node.nodeType === 3 ? node.nodeValue : (node.children ?? []).map(textOf).join('');
}

function walk(node: Node, match: (node: Node) => boolean): Node | undefined {
  if (match(node)) return node;
  for (const child of [...(node.children ?? []), ...(node.contentDocument ? [node.contentDocument] : [])]) {
    const found = walk(child, match);
    if (found) return found;
  }
  return undefined;
}
