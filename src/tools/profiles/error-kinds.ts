/**
 * Failures by the words of each server, which are its own program's words and not a page's: they stand in an `isError` result.
 * auth_required, captcha and blocked_page are never read from words; the witness finds them by the page's structure.
 */
type Rule = readonly [pattern: RegExp, kind: string];

/** The first rule that fits. Only the beginning is read: what follows may be a snapshot of a page that says anything. */
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

export const OPENCHROME_RULES: readonly Rule[] = [
  [/stale|ref .* (?:not found|no longer)/i, 'stale_ref'],
  [/No (?:matching )?elements? found|element not found|not found: /i, 'element_not_found'],
  [/Tab not found/i, 'page_gone'],
  [/timed? ?out/i, 'timeout'],
  [/net::ERR_/i, 'navigation_failed'],
];

/** For servers that we know nothing of: only what can hardly mean anything else. */
export const COMMON_RULES: readonly Rule[] = [
  [/\bstale\b/i, 'stale_ref'],
  [/\b(?:element|selector|node)\b.{0,60}\bnot found\b|no such element/i, 'element_not_found'],
  [/\btime(?:d)? ?out\b/i, 'timeout'],
];
