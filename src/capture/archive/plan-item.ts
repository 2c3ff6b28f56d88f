/** One item of an import: what was asked, what came back, and whether that is an answer. */
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
  /** Null where the item is missing; with an error, what had arrived until then. */
  readonly response: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly timing: CaptureResult['timing'] | null;
  readonly model_label: string | null;
  /** `busy_stuck`, `done_missing`: taken for whole although the page never said so. */
  readonly flag: string | null;
  /** Characters that no database holds were replaced. */
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
  // No words are no answer: it would count as wrong, and nobody knows what the page did.
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
