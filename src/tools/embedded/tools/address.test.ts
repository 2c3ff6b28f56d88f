import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

test.each([
  ['https://example.com', 'https://example.com/'],
  [' example.com/a?b ', 'https://example.com/a?b'],
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['127.0.0.1', 'http://127.0.0.1/'],
  ['example.com:8080', 'https://example.com:8080/'],
  ['about:blank', 'about:blank'],
  ['data:text/html,x', 'data:text/html,x'],
])('%s is %s', (written, address) => {
  expect(addressOf(written)).toBe(address);
});

test.each(['http://a b/', '', 'javascript:alert(1)', 'file:///etc/passwd', 'chrome://settings'])(
  '%s is refused',
  (written) => {
    expect(() => addressOf(written)).toThrow();
  },
);
