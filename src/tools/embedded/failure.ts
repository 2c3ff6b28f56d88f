/**
 * The failures of a tool call, as the caller sees them: a message, a kind, and a hint about what to do next.
 * None of them ends an episode: each is an ordinary result with `isError`.
 */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { messageOf, WaymarkError } from '../../errors/index.ts';

/** Every kind with its default hint. */
export const FAILURE_HINTS = {
  bad_argument: 'Correct the arguments and call again.',
  unknown_tool: 'Call tools/list for the tools there are.',
  not_found: 'Call read_page or find to see what is there, or wait_for if it is still to come.',
  ambiguous: 'Use the ref of one of them, or nth.',
  stale_ref: 'Call read_page or find again and use the new ref.',
  not_visible: 'Make it visible first (open its menu, tab or section), or call page_screenshot to look.',
  not_stable: 'Wait until it has come to rest, then try again.',
  disabled: 'Do first what enables it, then try again.',
  obscured: 'Close or move what covers it, then try again.',
  timeout: 'Try again, or give a longer timeoutMs; page_screenshot and tabs_context show what the page is doing.',
  navigation_failed: 'Check the address; tabs_context shows where the tab is.',
  dialog_open: 'Call handle_dialog first: the page waits for an answer.',
  no_dialog: 'Go on: nothing is waiting for an answer.',
  page_gone: 'Call tabs_context for the tabs that are open, or tabs_create for a new one.',
  browser_gone: 'The browser has ended; this episode can not go on.',
  script_error: 'Correct the code and call again.',
  cancelled: 'The call was given up by its caller.',
  refused: 'The browser refused; try another way.',
} as const;
export type FailureKind = keyof typeof FAILURE_HINTS;

export class ToolFailure extends Error {
  readonly kind: FailureKind;
  readonly hint: string;

  constructor(kind: FailureKind, message: string, hint: string = FAILURE_HINTS[kind]) {
    super(message);
    this.name = 'ToolFailure';
    this.kind = kind;
    this.hint = hint;
  }

  toResult(): CallToolResult {
    return {
      isError: true,
      content: [{ type: 'text', text: `${this.message} ${this.hint}` }],
      structuredContent: { kind: this.kind, hint: this.hint },
    };
  }
}

export interface CutCall {
  signal: AbortSignal;
  timeoutMs: number;
  tab?: { lost: AbortController; isLoading: boolean } | undefined;
}

/** Turns a thrown value into a ToolFailure. The call's signals say why it was aborted. */
export function failureOf(thrown: unknown, { signal, timeoutMs, tab }: CutCall): ToolFailure {
  if (thrown instanceof ToolFailure) return thrown;
  const code = thrown instanceof WaymarkError ? thrown.code : '';
  if (code === 'cdp_closed') return new ToolFailure('browser_gone', messageOf(thrown));
  const lost: unknown = tab?.lost.signal.reason;
  if (lost instanceof ToolFailure) return lost;
  if (code === 'cdp_session_gone')
    return new ToolFailure('page_gone', 'The tab was closed while the call was running.');
  if (signal.aborted) {
    const timedOut = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
    if (!timedOut) return new ToolFailure('cancelled', 'The call was cancelled.');
    if (tab?.isLoading)
      return new ToolFailure('timeout', `The next page is still loading after ${timeoutMs} ms.`, LOADING);
    return new ToolFailure('timeout', `The page did not answer within ${timeoutMs} ms.`);
  }
  if (code === 'cdp_timeout') return new ToolFailure('timeout', messageOf(thrown));
  return new ToolFailure('refused', messageOf(thrown));
}

const LOADING = 'Wait longer with wait_for, or call navigate to go elsewhere.';
