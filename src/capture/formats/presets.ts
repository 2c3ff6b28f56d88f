/**
 * Known chat pages, as dated data. Sites change, so one list holds the selectors of several generations of markup,
 * and `verified_on` says when they were last compared with the live page (`null`: never; `seen_on`: the date of the markup).
 */
import type { Selectors } from './selectors.ts';

export const PRESET_NAMES = ['chatgpt', 'gemini', 'custom'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** A message of the site that ends the run, recognised by its place and its text. */
export interface NoticeRule {
  readonly code: 'rate_limited' | 'not_logged_in';
  /** Any of these texts, in lower case, inside a visible alert or dialog. */
  readonly phrases: readonly string[];
}

export interface Preset {
  readonly name: PresetName;
  readonly display_name: string;
  /** `null`: entered by the user. */
  readonly origin: string | null;
  readonly revision: string;
  readonly seen_on: string | null;
  readonly verified_on: string | null;
  readonly selectors: Selectors;
  readonly notices: readonly NoticeRule[];
  readonly remarks: readonly string[];
}

/** Texts of the sites' own alerts and dialogs. They are searched only there, and never in answers. */
const notices: readonly NoticeRule[] = [
  {
    code: 'rate_limited',
    phrases: [
      'rate limit',
      'too many requests',
      'reached your limit',
      'hit your limit',
      'plan limit',
      'usage limit',
      'limit reached',
    ],
  },
  {
    code: 'not_logged_in',
    phrases: [
      'session has expired',
      'session expired',
      'log in to continue',
      'sign in to continue',
      'signed out',
      'logged out',
    ],
  },
];

const nothing: Selectors = {
  composer: [],
  send: [],
  busy: [],
  assistant_turn: [],
  assistant_body: [],
  done: [],
  new_chat: [],
  model_label: [],
};

export const presets: Readonly<Record<PresetName, Preset>> = {
  chatgpt: {
    name: 'chatgpt',
    display_name: 'ChatGPT Web',
    origin: 'https://chatgpt.com',
    revision: 'chatgpt.2026-09',
    seen_on: '2026-09',
    verified_on: null,
    selectors: {
      composer: [
        'form[data-chatgpt-composer] [data-composer-markdown][contenteditable="true"]',
        '#prompt-textarea[contenteditable="true"]',
      ],
      send: [
        'form[data-chatgpt-composer] button[aria-label="Send"]',
        'button[data-testid="send-button"]',
        '#composer-submit-button',
      ],
      busy: ['form button[aria-label="Stop"]', 'button[data-testid="stop-button"]'],
      assistant_turn: [
        '[data-chatgpt-search-unit-key$=":assistant"]',
        '[data-message-author-role="assistant"] .markdown',
      ],
      assistant_body: ['[data-markdown-text-style="assistant-message"]'],
      done: ['[role="group"][aria-label="Response actions"]', 'button[data-testid="copy-turn-action-button"]'],
      new_chat: ['a[data-testid="create-new-chat-button"]', 'a[aria-label="New chat"]'],
      model_label: ['button[data-testid="model-switcher-dropdown-button"]'],
    },
    notices,
    remarks: ['Turns are virtualised: old ones leave the document, so their number says nothing.'],
  },
  gemini: {
    name: 'gemini',
    display_name: 'Gemini Web',
    origin: 'https://gemini.google.com',
    revision: 'gemini.2026-07',
    seen_on: '2026-07',
    verified_on: null,
    selectors: {
      composer: ['rich-textarea div.ql-editor[contenteditable="true"]'],
      send: ['div[data-test-id="send-button-container"] button', 'button[aria-label*="Send message" i]'],
      busy: ['gem-icon-button.stop button', 'button[aria-label*="Stop response" i]'],
      assistant_turn: ['model-response'],
      assistant_body: ['message-content .markdown'],
      done: [],
      new_chat: ['a[aria-label="New chat"]'],
      model_label: ['[data-test-id="bard-mode-menu-button"]'],
    },
    notices,
    remarks: [
      'The stop button may never go away.',
      'innerText is empty while a turn is pending: the text is read node by node.',
      'Trusted Types are enforced.',
    ],
  },
  custom: {
    name: 'custom',
    display_name: 'Custom chat page',
    origin: null,
    revision: 'custom',
    seen_on: null,
    verified_on: null,
    selectors: nothing,
    notices,
    remarks: ['Composer, send and assistant turn are needed, and a busy marker or a quiet time.'],
  },
};
