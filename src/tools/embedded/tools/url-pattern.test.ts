import { expect, test } from 'vitest';
import { urlFits } from './url-pattern.ts';

test.each([
  ['http://a.test/form/done?name=Ada', '/form/done', true],
  ['http://a.test/form/done?name=Ada', '*/form/done?*', true],
  ['http://a.test/form', '*/form/done*', false],
  ['http://a.test/form', 'http://*.test/form', true],
  ['http://a.test/form/2', 'http://*.test/form', false],
  ['http://a.test/aba', '*ab*ba', false],
  ['http://a.test/', '*', true],
  ['http://a.test/x', 'a.test', true],
  ['http://a.test/x.y', 'x?y', false],
])('%s fits %s: %s', (url, pattern, fits) => {
  expect(urlFits(url, pattern)).toBe(fits);
});
