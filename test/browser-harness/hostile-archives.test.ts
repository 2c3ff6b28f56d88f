import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readCapture } from '../../src/capture/index.ts';
import { WaymarkError } from '../../src/errors/index.ts';
import { hostileArchives } from './hostile/corpus.ts';
import { hostilePayloads } from './hostile/payloads.ts';
import { captureOf, captureZip, pack } from './samples.ts';

const capture = captureOf(await pack());
const corpus = [...hostileArchives(capture), ...hostilePayloads(capture)];
const MIB = 1024 * 1024;
let slowest = 0;
let hungriest = 0;

async function refusalOf(bytes: Buffer): Promise<WaymarkError | undefined> {
  try {
    await readCapture(bytes);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof WaymarkError) return thrown;
    throw thrown;
  }
}

test('the corpus is large, and no case is there twice', () => {
  expect(corpus.length).toBeGreaterThan(150);
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
});

test('what is spoilt was good before', async () => {
  expect(await readCapture(captureZip(capture))).toEqual(capture);
});

describe('a hostile capture is refused by its rule, quickly and in little memory', () => {
  test.each(corpus)('$rule $code: $name', async ({ bytes, code, rule }) => {
    const made = bytes();
    const before = process.memoryUsage();
    const cpu = process.cpuUsage();
    const refusal = await refusalOf(made);
    const { user, system } = process.cpuUsage(cpu);
    const after = process.memoryUsage();
    const grown = after.heapUsed + after.external - before.heapUsed - before.external;
    slowest = Math.max(slowest, (user + system) / 1000);
    hungriest = Math.max(hungriest, grown);
    expect(refusal?.code).toBe(code);
    if (rule !== '') {
      expect(refusal?.issues[0]?.code).toBe(rule);
      expect(refusal?.message).toContain(`(${rule})`);
    }
    // A refusal never repeats what it refuses at length.
    expect(JSON.stringify(refusal).length).toBeLessThan(30_000);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(grown).toBeLessThan(100 * MIB);
  });

  afterAll(() =>
    console.log(
      `hostile corpus: ${corpus.length} cases, slowest ${slowest.toFixed(0)} ms, most memory ${(hungriest / MIB).toFixed(1)} MiB`,
    ),
  );
});

describe('a good archive with bytes changed', () => {
  const good = captureZip(capture);
  const same = JSON.stringify(capture);

  /** Refused, or read to exactly the same content: never something else. */
  async function isHarmless(bytes: Buffer): Promise<void> {
    try {
      expect(JSON.stringify(await readCapture(bytes))).toBe(same);
    } catch (thrown) {
      if (!(thrown instanceof WaymarkError)) throw thrown;
    }
  }

  test('cut at any place is refused', async () => {
    for (let length = 0; length < good.length; length += length < 200 || length > good.length - 400 ? 1 : 37) {
      expect(await refusalOf(Buffer.from(good.subarray(0, length))), `cut at ${length}`).toBeInstanceOf(WaymarkError);
    }
  });

  test('in any byte of any header never crashes and never reads as something else', async () => {
    const directory = good.readUInt32LE(good.length - 6);
    const headers = [
      ...Array(60).keys(),
      ...Array.from({ length: good.length - directory }, (_, index) => directory + index),
    ];
    for (const at of headers) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const bytes = Buffer.from(good);
        bytes[at] = value;
        await isHarmless(bytes);
      }
    }
  });

  test('at random, cut, doubled, moved: never crashes and never reads as something else', async () => {
    const place = fc.nat({ max: good.length - 1 });
    const mutation = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), at: place, value: fc.integer({ min: 0, max: 255 }) }),
      fc.record({ kind: fc.constant('cut' as const), at: place, length: fc.integer({ min: 1, max: 200 }) }),
      fc.record({ kind: fc.constant('double' as const), at: place, length: fc.integer({ min: 1, max: 200 }) }),
      fc.record({
        kind: fc.constant('word' as const),
        at: place,
        value: fc.constantFrom(0, 1, 0xffff, 0xffffffff, 0x02014b50, 0x04034b50, 0x06054b50),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        let bytes = Buffer.from(good);
        for (const change of mutations) {
          const at = Math.min(change.at, bytes.length - 1);
          if (change.kind === 'set') bytes[at] = change.value;
          else if (change.kind === 'cut')
            bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.length)]);
          else if (change.kind === 'double')
            bytes = Buffer.concat([bytes.subarray(0, at + change.length), bytes.subarray(at)]);
          else if (at + 4 <= bytes.length) bytes.writeUInt32LE(change.value, at);
        }
        await isHarmless(bytes);
      }),
      { numRuns: 1500 },
    );
  });

  test('random bytes and random JSON are refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((text) => Buffer.from(`{"manifest":${text}}`)),
        ),
        async (bytes) => {
          expect(await refusalOf(Buffer.from(bytes))).toBeInstanceOf(WaymarkError);
        },
      ),
      { numRuns: 500 },
    );
  });
});
