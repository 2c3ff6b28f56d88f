import { expect, test } from 'vitest';
import { readWrapperArguments } from './wrapper-arguments.ts';

test('what Puppeteer, Playwright and chrome-launcher pass', () => {
  const nothing = { isVersion: false, isPipe: false, port: undefined, profileFolder: undefined };
  expect(readWrapperArguments(['--headless=new', '--remote-debugging-port=0', 'about:blank'])).toEqual({
    ...nothing,
    port: 0,
  });
  expect(readWrapperArguments(['--user-data-dir=/tmp/x', '--remote-debugging-pipe', '--no-startup-window'])).toEqual({
    ...nothing,
    isPipe: true,
    profileFolder: '/tmp/x',
  });
  // The last one of several counts, as in Chromium.
  expect(readWrapperArguments(['--remote-debugging-port=9222', '--remote-debugging-port=9333'])).toEqual({
    ...nothing,
    port: 9333,
  });
  expect(readWrapperArguments(['--version'])).toEqual({ ...nothing, isVersion: true });
  expect(readWrapperArguments(['--remote-debugging-port=x'])).toEqual(nothing);
});
