import { expect, test } from 'vitest';
import { COMMON_RULES, DEVTOOLS_RULES, kindByWords, OPENCHROME_RULES, PLAYWRIGHT_RULES } from './error-kinds.ts';

test.each([
  [
    PLAYWRIGHT_RULES,
    '### Error\nError: Ref e999 not found in the current page snapshot. Try capturing new snapshot.',
    'stale_ref',
  ],
  [PLAYWRIGHT_RULES, '### Error\nError: "#nope" does not match any elements.', 'element_not_found'],
  [PLAYWRIGHT_RULES, 'TimeoutError: browserBackend.callTool: Timeout 5000ms exceeded.', 'timeout'],
  [PLAYWRIGHT_RULES, 'Error: Tool "browser_snapshot" does not handle the modal state.', 'dialog_open'],
  [PLAYWRIGHT_RULES, 'Error: net::ERR_NAME_NOT_RESOLVED at http://nowhere.invalid/', 'navigation_failed'],
  [DEVTOOLS_RULES, 'Error: Element uid "1_2" not found on page 1.', 'stale_ref'],
  [DEVTOOLS_RULES, 'Error: Element with uid 27_2 no longer exists on the page.', 'stale_ref'],
  [DEVTOOLS_RULES, 'Error: Timed out after waiting 300ms', 'timeout'],
  [DEVTOOLS_RULES, '# Open dialog\nconfirm: Do you confirm?.', 'dialog_open'],
  [DEVTOOLS_RULES, 'Error: No page found', 'page_gone'],
  [OPENCHROME_RULES, "Error: Reference 'ref_9' not found", 'stale_ref'],
  [OPENCHROME_RULES, "Error: Element ref or node ID 'ref_9' not found", 'stale_ref'],
  [OPENCHROME_RULES, 'Error: Could not resolve element ref_3: it may no longer exist', 'stale_ref'],
  [
    OPENCHROME_RULES,
    'Error: Tab 0F3A not found. Hint: The tab may have been closed or the session expired.',
    'page_gone',
  ],
  [OPENCHROME_RULES, 'Error: Target 0F3A not found in session', 'page_gone'],
  [OPENCHROME_RULES, 'Error: Tab 0F3A is no longer available', 'page_gone'],
  [OPENCHROME_RULES, 'JavaScript error: Error: element not found\n    at pick', 'element_not_found'],
  [OPENCHROME_RULES, 'JavaScript execution error: JS execution timed out after 30000ms', 'timeout'],
  [OPENCHROME_RULES, 'Error: tabId is required', 'bad_argument'],
  [COMMON_RULES, 'The element #a was not found', 'element_not_found'],
  [COMMON_RULES, 'Something else', undefined],
])('%#: %s', (rules, text, kind) => expect(kindByWords(text, rules)).toBe(kind));

test('words of the page, far behind those of the server, are not read', () => {
  expect(kindByWords(`Something else${' '.repeat(2_000)}timed out`, COMMON_RULES)).toBeUndefined();
});
