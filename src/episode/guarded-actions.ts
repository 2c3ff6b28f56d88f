/**
 * Actions that need approval: `click Place order`, `click #submit`, `javascript_tool`. The first word is the tool, the tool's own action or the
 * canonical one; the rest, where there is any, is the element, by whatever the call names it.
 */

import { escapePattern } from '../contracts/index.ts';
import type { ToolCall } from './agent.ts';

/** Answers that a ref is looked up in, the newest last. */
const REMEMBERED = 5;
/** Fields by which servers name an element of their own last answer. */
const REF_FIELDS = ['ref', 'uid', 'target', 'startElementRef', 'from_uid', 'startTarget'];

export class GuardedActions {
  readonly #actions: readonly { guarded: string; action: string; element: string }[];
  #answers: string[] = [];

  constructor(actions: readonly string[] = []) {
    this.#actions = actions.map((guarded) => {
      const [, action = guarded, element = ''] = /^(\S+)(?:\s+(.*\S))?\s*$/s.exec(guarded.trim()) ?? [];
      return { guarded, action: action.toLowerCase(), element: element.toLowerCase() };
    });
  }

  /** What the agent was shown: a ref means an element of it. */
  onAnswer(text: string): void {
    if (this.#actions.length === 0) return;
    this.#answers = [...this.#answers, text.toLowerCase()].slice(-REMEMBERED);
  }

  /** The guarded action that a call is. */
  needed({ tool, arguments: args = {} }: ToolCall, canonical?: unknown): string | undefined {
    if (this.#actions.length === 0) return undefined;
    const actions = [tool, args['action'], Reflect.get(Object(canonical), 'action')].map((word) =>
      String(word).toLowerCase(),
    );
    const said = stringsOf([args, canonical]);
    return this.#actions.find(
      ({ action, element }) =>
        actions.includes(action) && (element === '' || said.includes(element) || this.#isNamedByRef(args, element)),
    )?.guarded;
  }

  /** The newest answer that knows the ref says what it is: `button "Place order" [ref=e7]`. */
  #isNamedByRef(args: Record<string, unknown>, element: string): boolean {
    return REF_FIELDS.some((field) => {
      const ref = args[field];
      if (typeof ref !== 'string' || ref === '') return false;
      const word = new RegExp(`(?<![\\w-])${escapePattern(ref.toLowerCase())}(?![\\w-])`);
      const line = this.#answers.findLast((answer) => word.test(answer))?.split('\n');
      return line?.some((text) => word.test(text) && text.includes(element)) === true;
    });
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim().toLowerCase()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
