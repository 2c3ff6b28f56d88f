import { expect, test } from 'vitest';
import { isWrite, mayWriteTo } from './write-guard.ts';

test.each([
  ['GET', false],
  ['head', false],
  ['OPTIONS', false],
  ['POST', true],
  ['put', true],
  ['PATCH', true],
  ['DELETE', true],
  ['PURGE', true],
])('%s is a write: %s', (method, write) => expect(isWrite(method)).toBe(write));

test.each([
  ['https://shop.com/', [], false],
  ['https://shop.com./', [], false],
  ['https://shop.com/', ['shop.com'], true],
  ['https://SHOP.com/', ['Shop.COM'], true],
  ['https://www.shop.com/', ['shop.com'], false],
  ['https://www.shop.com/', ['*.shop.com'], true],
  ['https://shop.com/', ['*.shop.com'], false],
  ['https://evilshop.com/', ['*.shop.com'], false],
  ['https://shop.com/', ['*'], true],
  ['https://93.184.216.34/', [], false],
  ['http://169.254.169.254/latest', [], false],
  ['http://127.0.0.1:8080/', [], true],
  ['http://[::1]/', [], true],
  ['http://192.168.0.3/', [], true],
  ['http://localhost:3000/', [], true],
  ['http://fixtures.waymark.test/', [], true],
  ['http://gitlab:8023/', [], true],
  ['http://latest/', [], true],
  ['https://test.com/', [], false],
  ['https://contest/', [], true],
  ['https://mytest.io/', [], false],
  ['blob:https://shop.com/1', [], true],
])('%s with %j may be written to: %s', (url, hosts, allowed) => expect(mayWriteTo(url, hosts)).toBe(allowed));
