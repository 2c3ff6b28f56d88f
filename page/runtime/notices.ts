/** What the site says in alerts and dialogs. Answers are never looked at: a model may well write about rate limits. */
import type { NoticeRule } from '../../src/capture/formats.ts';
import { type Finder, isVisible } from './finder.ts';
import { ItemError } from './item-error.ts';

const PLACES = '[role="alert"], [role="alertdialog"], [role="dialog"], dialog[open]';
const MAX_QUOTE = 200;

export class Notices {
  readonly #finder: Finder;
  readonly #rules: readonly NoticeRule[];
  #known = new WeakSet<Element>();

  constructor(finder: Finder, rules: readonly NoticeRule[]) {
    this.#finder = finder;
    this.#rules = rules;
  }

  /** Throws when the site says that going on is pointless. */
  check(): void {
    for (const place of this.#visible()) {
      const text = textIn(place);
      const rule = this.#rules.find(({ phrases }) => phrases.some((phrase) => text.toLowerCase().includes(phrase)));
      if (rule) throw new ItemError(rule.code, `The page says: ${quote(text)}`, true);
    }
  }

  /** What stands there now is not about the message that is sent next. */
  remember(): void {
    for (const place of this.#visible()) this.#known.add(place);
  }

  /** What the page has been saying since `remember`. */
  news(): string | undefined {
    const place = this.#visible().find((one) => !this.#known.has(one) && textIn(one) !== '');
    return place && quote(textIn(place));
  }

  #visible(): Element[] {
    const turns = this.#finder.turns();
    return [...document.querySelectorAll(PLACES)].filter(
      (place) => isVisible(place) && !turns.some(({ element }) => element.contains(place)),
    );
  }
}

function textIn(place: Element): string {
  return (place.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function quote(text: string): string {
  return `“${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}”`;
}
