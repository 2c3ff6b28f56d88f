/** Which of the values in a response is its answer: what a label states, otherwise the only one. Two different values are no answer. */
import { withoutMarkdown } from '../../cases/index.ts';
import { quote } from './check-result.ts';
import { statedAnswer } from './stated-answer.ts';

interface ReadValue {
  readonly text: string;
  /** Why this value can't be used, as the rest of a sentence. */
  readonly problem?: string | undefined;
}

export interface ValueKind<T extends ReadValue> {
  /** "date", "amount". */
  readonly name: string;
  /** Marks of Markdown are part of such a value: `_` in an address. */
  readonly keepsMarkdown?: boolean;
  find(text: string): readonly T[];
  isSame(a: T, b: T): boolean;
}

export type Given<T> = { readonly value: T } | { readonly problem: string };

const MAX_TEXT = 200_000;

/** @example givenValue('It is 4 March 2024.', DATES); // => { value: { year: 2024, … } } */
export function givenValue<T extends ReadValue>(response: string, kind: ValueKind<T>): Given<T> {
  if (response.length > MAX_TEXT) return { problem: `The response is longer than ${MAX_TEXT} characters.` };
  const text = kind.keepsMarkdown ? response : withoutMarkdown(response);
  const stated = statedAnswer(text);
  const inStatement = stated === undefined ? [] : kind.find(stated);
  const found = inStatement.length > 0 ? inStatement : kind.find(text);
  const [first] = found;
  if (!first) return { problem: `The response contains no ${kind.name}.` };
  const unclear = found.find(({ problem }) => problem !== undefined);
  if (unclear?.problem !== undefined) return { problem: `Ambiguous or wrong: ${quote(unclear.problem)}.` };
  const other = found.find((one) => !kind.isSame(one, first));
  if (other) {
    const both = `${quote(first.text, 60)} and ${quote(other.text, 60)}`;
    return { problem: `Ambiguous: the response names ${both}, and states neither as its answer.` };
  }
  return { value: first };
}
