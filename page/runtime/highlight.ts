/** Frames around elements of the page, drawn above it in a closed shadow root of our own: the page's elements are not touched. */
import { HOST_TAG } from './finder.ts';
import { element } from './panel.ts';

const STYLE = `
:host { all: initial; position: fixed; inset: 0; z-index: 2147483646; pointer-events: none; }
div { position: fixed; box-sizing: border-box; border: 2px solid; border-radius: 3px; }
span { position: absolute; right: -2px; top: -2px; padding: 0 5px; font: 12px/1.5 system-ui, sans-serif; color: #fff; white-space: nowrap; }
span.low { top: auto; bottom: -2px; }
`;

/** A page may have hundreds of turns. */
const MOST = 20;

export interface Mark {
  readonly label: string;
  readonly colour: string;
  /** At the lower edge, where a frame inside has its own label at the upper one. */
  readonly isLow: boolean;
  readonly elements: readonly HTMLElement[];
}

export class Highlights {
  readonly #host = document.createElement(HOST_TAG);
  readonly #root: ShadowRoot;

  constructor() {
    this.#root = this.#host.attachShadow({ mode: 'closed' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    this.#host.setAttribute('aria-hidden', 'true');
    document.documentElement.append(this.#host);
  }

  show(marks: readonly Mark[]): void {
    this.#root.replaceChildren(
      ...marks.flatMap((mark) => mark.elements.slice(0, MOST).flatMap((one) => frame(mark, one))),
    );
  }

  close(): void {
    this.#host.remove();
  }
}

function frame({ label, colour, isLow }: Mark, around: HTMLElement): HTMLElement[] {
  const { left, top, width, height } = around.getBoundingClientRect();
  if (width === 0 || height === 0) return [];
  const name = element('span', { textContent: label, className: isLow ? 'low' : '' });
  name.style.background = colour;
  const box = element('div', {}, name);
  Object.assign(box.style, {
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
    borderColor: colour,
  });
  return [box];
}
