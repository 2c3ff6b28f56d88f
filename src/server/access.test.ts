import { describe, expect, test } from 'vitest';
import { decideAccess } from './access.ts';

const TOKEN = 'a-token-of-some-length';

test.each(['127.0.0.1', 'localhost', '::1'])('%s needs no token', (host) => {
  expect(decideAccess({ host }).token).toBeUndefined();
});

test.each(['0.0.0.0', '::', '192.168.1.5', 'waymark.example'])('%s without a token is refused', (host) => {
  expect(() => decideAccess({ host })).toThrow(`To be reached at ${host} by other machines, the server needs a token.`);
  expect(decideAccess({ host, token: TOKEN }).token).toBe(TOKEN);
});

test('a short token is refused', () => {
  expect(() => decideAccess({ host: '127.0.0.1', token: 'short' })).toThrow('A token has at least 16 characters.');
});

describe('hosts', () => {
  const names = (host: string, headers: string[], more: string[] = []) => {
    const { isOurHost } = decideAccess({ host, token: TOKEN, names: more });
    return headers.filter(isOurHost);
  };
  const loopback = ['localhost', 'localhost:7520', '127.0.0.1:1', '[::1]:7520', 'LOCALHOST'];
  const foreign = [
    'evil.test',
    'evil.test:7520',
    'localhost.evil.test',
    '127.0.0.1.nip.io',
    'evil@localhost',
    'localhost/x',
    '',
    'a b',
    '10.0.0.1',
  ];

  test('bound to loopback, only loopback is meant', () => {
    expect(names('127.0.0.1', [...loopback, ...foreign])).toEqual(loopback);
  });
  test('bound to one address, that one too', () => {
    expect(names('10.0.0.1', [...loopback, ...foreign])).toEqual([...loopback, '10.0.0.1']);
  });
  test('bound to all, any address is ours, but no name', () => {
    expect(names('0.0.0.0', ['10.0.0.1', '8.8.8.8:80', '[2001:db8::1]:80', 'evil.test'])).toEqual([
      '10.0.0.1',
      '8.8.8.8:80',
      '[2001:db8::1]:80',
    ]);
  });
  test('further names are given', () => {
    expect(names('0.0.0.0', ['waymark.example', 'WAYMARK.example:443', 'evil.test'], ['Waymark.example'])).toEqual([
      'waymark.example',
      'WAYMARK.example:443',
    ]);
  });
});
