import { expect, test } from 'vitest';
import { exactUrlOf } from './exact-url.ts';

test.each([
  ['^http://shop\\.test/cart$', 'http://shop.test/cart'],
  ['^https://shop\\.test:8080/find\\?q=a\\+b#top$', 'https://shop.test:8080/find?q=a+b#top'],
  ['^http://localhost/$', 'http://localhost/'],
])('%s names one URL', (pattern, url) => {
  expect(exactUrlOf(pattern)).toBe(url);
});

test.each([
  ['not anchored', 'http://shop\\.test/cart'],
  ['anchored at one end', '^http://shop\\.test/cart'],
  ['a dot that matches any character', '^http://shop.test/cart$'],
  ['a class', '^http://shop\\.test/orders/[0-9]+$'],
  ['an escape that is a class', '^http://shop\\.test/orders/\\d$'],
  ['an alternative', '^http://a\\.test/$|^http://b\\.test/$'],
  ['a flag', '(?i)^http://shop\\.test/$'],
  ['an escaped end', '^http://shop\\.test/\\$'],
  ['no URL', '^cart$'],
])('%s: not one URL', (_name, pattern) => {
  expect(exactUrlOf(pattern)).toBeUndefined();
});
