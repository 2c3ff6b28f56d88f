/** The clipboard of one slot. What its pages copy stays here, and only they can paste it. */
import { type ClipboardContent, EMPTY_CLIPBOARD, kindsOf } from './clipboard-content.ts';
import type { SharedClipboard } from './shared-clipboard.ts';

export class SlotClipboard {
  readonly #shared: SharedClipboard;
  readonly #note: (text: string) => void;
  #content: ClipboardContent = EMPTY_CLIPBOARD;

  /** `note` is told what went wrong, where it is no fault. */
  constructor(shared: SharedClipboard, note: (text: string) => void) {
    this.#shared = shared;
    this.#note = note;
  }

  get kinds(): string[] {
    return kindsOf(this.#content);
  }

  /** A page of the slot has copied this by itself. */
  put(content: ClipboardContent): void {
    this.#content = content;
  }

  /** Runs work that copies or pastes. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    const given = this.#content;
    const { result, left, isCutShort } = await this.#shared.turn(given, work);
    if (isCutShort) this.#note('a page took so long to copy or paste that its turn at the clipboard was ended');
    // A page that copied by itself during the turn has copied last.
    if (this.#content === given) this.#content = left;
    return result;
  }
}
