/**
 * What the runtime is given, and what it gives back. The names are the interchange format's: keep them to the letter.
 * Types and plain values only: Node, the web app and the page itself all read this file.
 */

/** Goes into every capture, so that an import can tell which behaviour made it. Raise it with every change of that behaviour. */
export const RUNTIME_REVISION = '1';
export const PACK_FORMAT = 'eval752.browser_harness.pack.v1';
export const CAPTURE_FORMAT = 'eval752.browser_harness.v1';

export type PresetName = 'chatgpt' | 'gemini' | 'custom';

/** Ordered CSS lists: the first selector that matches something visible wins. An empty list: the page has no such thing. */
export interface Selectors {
  readonly composer: readonly string[];
  readonly send: readonly string[];
  readonly busy: readonly string[];
  readonly assistant_turn: readonly string[];
  /** Inside a turn: where its text is. The n-th belongs to the n-th of `assistant_turn`; where there is none, the whole turn is the text. */
  readonly assistant_body: readonly string[];
  readonly done: readonly string[];
  readonly new_chat: readonly string[];
  readonly model_label: readonly string[];
}

export type Role = keyof Selectors;

/** A message of the site, known by where it stands and what it says, that makes going on pointless. */
export interface NoticeRule {
  readonly code: 'rate_limited' | 'not_logged_in';
  /** Any of these, in lower case, inside a visible alert or dialog. */
  readonly phrases: readonly string[];
}

/** Milliseconds, but for `jitter` (a share of `pace_ms`) and `seed`. */
export interface Settings {
  readonly quiet_ms: number;
  readonly long_quiet_ms: number;
  readonly item_timeout_ms: number;
  readonly start_timeout_ms: number;
  readonly send_timeout_ms: number;
  readonly ready_timeout_ms: number;
  readonly pace_ms: number;
  readonly jitter: number;
  readonly poll_ms: number;
  /** Makes the pace the same every time; without it the pace is by chance. */
  readonly seed?: number | undefined;
}

export const DEFAULT_SETTINGS: Settings = {
  quiet_ms: 2_000,
  long_quiet_ms: 20_000,
  item_timeout_ms: 180_000,
  start_timeout_ms: 60_000,
  send_timeout_ms: 15_000,
  ready_timeout_ms: 15_000,
  pace_ms: 4_000,
  jitter: 0.5,
  poll_ms: 200,
};

export interface Target {
  readonly preset: PresetName;
  readonly origin: string;
  readonly display_name: string;
}

export interface Judge {
  readonly provider_id: string;
  readonly model: string;
  readonly prompt: string;
}

export interface PackItem {
  readonly id: string;
  readonly prompt_text: string;
}

/** All that reaches the third-party page: prompts, never answers or checkers. */
export interface RuntimePack {
  readonly format: typeof PACK_FORMAT;
  readonly pack_id: string;
  readonly dataset_token: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly label: string;
  readonly target: Target;
  readonly judge: Judge | null;
  readonly items: readonly PackItem[];
  readonly preset_revision: string;
  readonly selectors: Selectors;
  readonly notices: readonly NoticeRule[];
  readonly settings: Partial<Settings>;
}

/** What the script is given that only looks: see runtime/test-selectors.ts. */
export interface SelectorTest {
  /** Where the selectors are meant to work; empty while nobody has entered it. */
  readonly origin: string;
  readonly selectors: Selectors;
}

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

/** Why an answer counts as whole although the page never said so. */
export type Flag = 'busy_stuck' | 'done_missing';

export interface ItemResult {
  readonly dataset_item_id: string;
  readonly prompt_text: string;
  /** With an error: what had arrived until then. */
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
