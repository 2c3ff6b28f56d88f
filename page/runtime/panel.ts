/**
 * The frame of everything that the runtime shows: a host in a closed shadow root, made of elements and text only, so that it works
 * under Trusted Types; its style is a constructed sheet, which a site's content policy does not touch.
 */

import { HOST_TAG } from './finder.ts';
import { makeMovable } from './movable.ts';
import { STYLE } from './style.ts';

/** What is typed in the panel is not for the site's shortcuts. */
const KEPT = [
  'keydown',
  'keyup',
  'keypress',
  'input',
  'beforeinput',
  'paste',
  'copy',
  'pointerdown',
  'mousedown',
  'click',
];

export class Panel {
  readonly body: HTMLElement;
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;

  constructor(title: string) {
    this.#host = document.createElement(HOST_TAG);
    this.#root = this.#host.attachShadow({ mode: 'closed' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    const move = button('Move', () => {});
    move.className = 'move';
    move.title = 'Drag, or use the arrow keys';
    const header = element('header', {}, element('h2', { id: 'title', textContent: title }), move);
    this.body = element('div', { className: 'body' });
    const frame = element('section', {}, header, this.body);
    frame.setAttribute('role', 'region');
    frame.setAttribute('aria-labelledby', 'title');
    this.#root.append(frame);
    for (const type of KEPT) this.#host.addEventListener(type, (event) => event.stopPropagation());
    makeMovable(this.#host, header, move);
    // Not in the body: frameworks that own it would take the panel away.
    document.documentElement.append(this.#host);
  }

  /** The control of ours that has the keyboard, if any. */
  get focused(): HTMLElement | undefined {
    return this.#root.activeElement instanceof HTMLElement ? this.#root.activeElement : undefined;
  }

  close(): void {
    this.#host.remove();
  }
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Pick<HTMLElementTagNameMap[K], 'id' | 'className' | 'textContent' | 'hidden'>>,
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { textContent: text });
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
