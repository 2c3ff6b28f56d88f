/**
 * Classifies failures by the text of each server's `isError` results. This text comes from the server's program and not from a page.
 * auth_required, captcha and blocked_page are never derived from text; the witness detects them by the page's structure.
 */
type Rule = readonly [pattern: RegExp, kind: string];

/** The first rule that matches. Only the beginning is read, because a snapshot with any page text may follow. */
export function kindByWords(text: string, rules: readonly Rule[]): string | undefined {
  const head = text.slice(0, 2_000);
  return rules.find(([pattern]) => pattern.test(head))?.[1];
}

export const PLAYWRIGHT_RULES: readonly Rule[] = [
  [/Ref \S+ not found|aria-ref/i, 'stale_ref'],
  [/does not match any elements|no element|not found in the current page/i, 'element_not_found'],
  [/strict mode violation|matches? (?:multiple|\d+) elements/i, 'ambiguous'],
  [/modal state|does not handle the modal|No dialog visible|file chooser/i, 'dialog_open'],
  [/net::ERR_|Navigation failed|interrupted by another navigation/i, 'navigation_failed'],
  [/Timeout \d+ ?ms exceeded|TimeoutError|timed out/i, 'timeout'],
  [/File access denied|outside (?:of )?(?:the )?allowed roots/i, 'refused'],
  [/Target page, context or browser has been closed|Target closed|ECONNREFUSED/i, 'page_gone'],
  [/Invalid (?:input|arguments)|invalid_type|"code": "/i, 'bad_argument'],
];

export const DEVTOOLS_RULES: readonly Rule[] = [
  [/stale snapshot|uid "?[^"\s]*"? (?:was )?not found|uid \S+ no longer exists|No snapshot/i, 'stale_ref'],
  [/No such element/i, 'element_not_found'],
  [/Timed out|timeout|did not become interactive|exceeded/i, 'timeout'],
  [/net::ERR_|Unable to navigate/i, 'navigation_failed'],
  [/dialog/i, 'dialog_open'],
  [/No page found|page has been closed|Target closed|Session closed/i, 'page_gone'],
  [/Input validation error|Invalid arguments/i, 'bad_argument'],
];

/** Its real texts: "Reference 'ref_9' not found", "Could not resolve element … may no longer exist", "Tab <id> is no longer available". */
export const OPENCHROME_RULES: readonly Rule[] = [
  [/\bTab \S+ (?:not found|is no longer available)|Target \S+ not found in session/i, 'page_gone'],
  [/(?:Reference|node ID) ['"][^'"]*['"] not found|is stale|Could not resolve element/i, 'stale_ref'],
  [/element not found|No (?:matching )?elements? found/i, 'element_not_found'],
  [/net::ERR_/i, 'navigation_failed'],
  [/timed? ?out|Timeout|Waiting for .* failed/i, 'timeout'],
  [/is required\b/i, 'bad_argument'],
];

export const BROWSEROS_RULES: readonly Rule[] = [
  [/Unknown page \d+|page \d+ not found/i, 'page_gone'],
  [/element not found/i, 'element_not_found'],
  [/not found in (?:the )?(?:last )?snapshot|unknown ref|stale/i, 'stale_ref'],
  [/net::ERR_/i, 'navigation_failed'],
  [/timed? ?out/i, 'timeout'],
  [/Invalid arguments|is required/i, 'bad_argument'],
];

/** For unknown servers: only phrases that are unambiguous. */
export const COMMON_RULES: readonly Rule[] = [
  [/\bstale\b/i, 'stale_ref'],
  [/\b(?:element|selector|node)\b.{0,60}\bnot found\b|no such element/i, 'element_not_found'],
  [/\btime(?:d)? ?out\b/i, 'timeout'],
];
