import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256Hex, sha256HexAnywhere } from './sha256-hex.ts';

it('is SHA-256 of the UTF-8 text', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('is the same with and without Node, for every text and all bytes, half characters too', () => {
  const data = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.uint8Array(),
  );
  fc.assert(
    fc.property(data, (given) => {
      expect(sha256Hex(given)).toBe(sha256HexAnywhere(given));
      expect(sha256Hex(given)).toBe(createHash('sha256').update(given).digest('hex'));
    }),
  );
});
