/** The output of the in-page script: the answers of one session, with the token of their pack. */
import type { Judge, Target } from './pack.ts';

/** Stored in every capture, so that an import knows which version of the script made it. Raise it with every change of the script's behaviour. */
export const RUNTIME_REVISION = '2';
export const CAPTURE_FORMAT = 'eval752.browser_harness.v1';

export const ITEM_ERROR_CODES = [
  'new_chat_failed',
  'composer_not_found',
  'composer_mismatch',
  'send_disabled',
  'send_not_confirmed',
  'no_response_start',
  'response_timeout',
  'empty_response',
  'site_notice',
  'rate_limited',
  'not_logged_in',
  'aborted',
] as const;

export type ItemErrorCode = (typeof ITEM_ERROR_CODES)[number];

/** Why an answer counts as complete although the page never showed it as finished. */
export type Flag = 'busy_stuck' | 'done_missing';

export interface ItemResult {
  readonly dataset_item_id: string;
  readonly prompt_text: string;
  /** With an error, the text that had arrived by then. */
  readonly response: string;
  readonly error: { readonly code: ItemErrorCode; readonly message: string } | null;
  readonly timing: { readonly started_at: string; readonly finished_at: string; readonly latency_ms: number };
  readonly model_label: string | null;
}

export interface Manifest {
  readonly format: typeof CAPTURE_FORMAT;
  readonly exported_at: string;
  readonly item_count: number;
  readonly error_count: number;
  readonly runtime_revision: string;
  readonly preset_revision: string;
  /** By item id; absent when there is nothing to say. */
  readonly flags?: Readonly<Record<string, Flag>>;
}

export interface Capture {
  readonly manifest: Manifest;
  readonly browser_harness: {
    readonly dataset_token: string;
    readonly target: Target;
    readonly judge: Judge | null;
    readonly session: { readonly started_at: string; readonly finished_at: string };
    readonly label: string;
  };
  readonly results: readonly ItemResult[];
}
