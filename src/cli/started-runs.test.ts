import { expect, test } from 'vitest';
import { allowsRuns } from './started-runs.ts';

test.each([
  [undefined, '127.0.0.1', undefined, true],
  [undefined, 'localhost', undefined, true],
  [undefined, '127.0.0.1', 'a-token-of-some-length', false],
  [undefined, '0.0.0.0', 'a-token-of-some-length', false],
  ['yes', '0.0.0.0', 'a-token-of-some-length', true],
  ['no', '127.0.0.1', undefined, false],
])('--allow-runs %s at %s with the token %s: %s', (given, host, token, allowed) => {
  expect(allowsRuns(given, { host, token })).toBe(allowed);
});

test('anything else is refused', () => {
  expect(() => allowsRuns('true', { host: '127.0.0.1', token: undefined })).toThrow(
    '--allow-runs is "yes" or "no", but got "true".',
  );
});
