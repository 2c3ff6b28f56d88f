/** What the user sees of a run: how far it is, what it is doing, what went wrong, and the buttons. */
import type { Saved } from './download.ts';
import { button, element, Panel } from './panel.ts';

export interface RunActions {
  readonly pause: () => boolean;
  readonly skip: () => void;
  readonly stop: () => void;
  readonly downloadPartial: () => void;
  readonly downloadAgain: () => void;
  readonly asText: () => string;
  readonly close: () => void;
}

export class RunView {
  readonly panel: Panel;
  readonly #count = element('span', {});
  readonly #elapsed = element('span', {});
  readonly #bar = element('progress', {});
  readonly #state = element('p', { className: 'state' });
  readonly #error = element('p', { className: 'error' });
  readonly #note = element('p', { className: 'error' });
  readonly #running: HTMLElement;
  readonly #finished: HTMLElement;
  readonly #text = element('textarea', { hidden: true });
  readonly #copy: HTMLElement;

  constructor(target: string, actions: RunActions) {
    this.panel = new Panel(`Browser Harness · ${target}`);
    this.#state.setAttribute('role', 'status');
    this.#error.setAttribute('role', 'status');
    this.#note.setAttribute('role', 'status');
    this.#bar.setAttribute('aria-label', 'Items done');
    this.#text.readOnly = true;
    this.#text.setAttribute('aria-label', 'The capture as text');
    this.#copy = button('Copy text', () => {
      this.#text.select();
      document.execCommand('copy');
    });
    this.#copy.hidden = true;
    const pause = button('Pause', () => {
      pause.textContent = actions.pause() ? 'Resume' : 'Pause';
    });
    this.#running = element(
      'div',
      { className: 'row' },
      pause,
      button('Skip', actions.skip),
      button('Stop and download', actions.stop),
      button('Download partial', actions.downloadPartial),
    );
    this.#finished = element(
      'div',
      { className: 'row', hidden: true },
      button('Download again', actions.downloadAgain),
      button('Show as text', () => this.showText(actions.asText())),
      button('Close', actions.close),
    );
    this.panel.body.append(
      element('p', { className: 'count' }, this.#count, this.#elapsed),
      this.#bar,
      this.#state,
      this.#error,
      this.#note,
      this.#running,
      this.#finished,
      this.#text,
      this.#copy,
    );
  }

  progress(done: number, total: number): void {
    this.#count.textContent = `${done} / ${total}`;
    this.#bar.max = total;
    this.#bar.value = done;
  }

  elapsed(ms: number): void {
    const seconds = Math.floor(ms / 1000);
    this.#elapsed.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  state(text: string): void {
    this.#state.textContent = text;
  }

  append(text: string): void {
    this.state(`${text} ${this.#state.textContent ?? ''}`.trim());
  }

  error(text: string): void {
    this.#error.textContent = text;
  }

  /** Stays, unlike the last error. */
  note(text: string): void {
    this.#note.textContent = text;
  }

  /** Asks the user, and resolves with the text of the button that was clicked. */
  choose<T extends string>(question: string, options: readonly T[]): Promise<T> {
    this.state(question);
    this.#running.hidden = true;
    return new Promise((resolve) => {
      const row = element(
        'div',
        { className: 'row' },
        ...options.map((option) =>
          button(option, () => {
            row.remove();
            this.#running.hidden = false;
            resolve(option);
          }),
        ),
      );
      this.#running.before(row);
    });
  }

  saved(saved: Saved): void {
    if ('file' in saved) {
      this.state(`Saved ${saved.file}.`);
      return;
    }
    this.error(`The file could not be saved (${saved.reason}). Copy the text below and import it as a .json file.`);
    this.showText(saved.text);
  }

  showText(text: string): void {
    this.#text.value = text;
    this.#text.hidden = false;
    this.#copy.hidden = false;
  }

  finish(): void {
    const hadFocus = this.panel.focused !== undefined;
    this.#running.hidden = true;
    this.#finished.hidden = false;
    if (hadFocus) this.#finished.querySelector('button')?.focus();
  }
}
