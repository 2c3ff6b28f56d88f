import { expect, test } from 'vitest';
import { COMMON_RULES, DEVTOOLS_RULES, kindByWords, PLAYWRIGHT_RULES } from './error-kinds.ts';

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
  [COMMON_RULES, 'The element #a was not found', 'element_not_found'],
  [COMMON_RULES, 'Something else', undefined],
])('%#: %s', (rules, text, kind) => expect(kindByWords(text, rules)).toBe(kind));

test('words of the page, far behind those of the server, are not read', () => {
  expect(kindByWords(`Something else${' '.repeat(2_000)}timed out`, COMMON_RULES)).toBeUndefined();
});
