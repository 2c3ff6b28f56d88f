/** One item of an import: the prompt, the response, and whether it is an answer. */
import type { Item } from '../../cases/index.ts';
import { storableText } from '../../cases/index.ts';
import type { CaptureResult } from './capture-schema.ts';

export interface PlannedItem {
  readonly id: string;
  /** From 1, in the pack's order. */
  readonly seq: number;
  readonly section: string;
  readonly prompt_text: string;
  readonly status: 'answered' | 'error' | 'missing';
  /** Null where the item is missing. With an error, the text that had arrived by then. */
  readonly response: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly timing: CaptureResult['timing'] | null;
  readonly model_label: string | null;
  /** `busy_stuck`, `done_missing`: taken as complete although the page never showed it as finished. */
  readonly flag: string | null;
  /** Whether characters that a database cannot store were replaced. */
  readonly repaired: boolean;
}

const EMPTY = { code: 'empty_response', message: 'The capture holds neither an answer nor an error for this item.' };

export function planItem(
  { id, section, prompt_text }: Item,
  seq: number,
  result: CaptureResult | undefined,
  flag: string | undefined,
): PlannedItem {
  const asked = { id, seq, section, prompt_text };
  if (!result) {
    return {
      ...asked,
      status: 'missing',
      response: null,
      error: null,
      timing: null,
      model_label: null,
      flag: null,
      repaired: false,
    };
  }
  const response = storableText(result.response);
  // An empty text is not an answer. It would be graded as wrong although the reason is unknown.
  const error = result.error ?? (response.trim() === '' ? EMPTY : null);
  return {
    ...asked,
    status: error ? 'error' : 'answered',
    response,
    error: error && { code: error.code, message: storableText(error.message) },
    timing: result.timing,
    model_label: result.model_label === null ? null : storableText(result.model_label).trim() || null,
    flag: flag === undefined ? null : storableText(flag),
    repaired: response !== result.response,
  };
}
