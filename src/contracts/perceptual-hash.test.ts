import { describe, expect, test } from 'vitest';
import { learnClass } from './learn-class.ts';
import { hammingDistance, nearestExemplar, type Picture, perceptualHash } from './perceptual-hash.ts';

/** A page-like picture: a bar on top, a card with varying position and brightness. */
function page(width: number, height: number, card = 0.3, light = 0): Picture {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width, y / height];
      const inCard = u > card && u < card + 0.3 && v > 0.3 && v < 0.8;
      data[y * width + x] = (v < 0.12 ? 40 : inCard ? 120 : 230) + light;
    }
  }
  return { width, height, data };
}

const toRgba = ({ width, height, data }: Picture): Picture => ({
  width,
  height,
  data: Uint8ClampedArray.from({ length: data.length * 4 }, (_, i) => (i % 4 === 3 ? 255 : (data[i >> 2] ?? 0))),
});

describe('the perceptual hash', () => {
  const hash = perceptualHash(page(640, 360));

  test('is 16 hexadecimal digits, the same every time', () => {
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(perceptualHash(page(640, 360))).toBe(hash);
  });

  test('is that of the published algorithm on a known picture', () => {
    // A horizontal ramp has only horizontal frequencies: the first row, of which the odd ones are negative.
    const ramp = Uint8Array.from({ length: 1024 }, (_, i) => (i % 32) * 8);
    expect(perceptualHash({ width: 32, height: 32, data: ramp })).toBe('8000000000000000');
    const falling = ramp.toReversed();
    expect(perceptualHash({ width: 32, height: 32, data: falling })).toBe('d500000000000000');
  });

  test('hardly changes with size, brightness or colour channels', () => {
    expect(hammingDistance(hash, perceptualHash(page(1280, 720)))).toBeLessThanOrEqual(2);
    expect(hammingDistance(hash, perceptualHash(page(317, 203)))).toBeLessThanOrEqual(6);
    expect(hammingDistance(hash, perceptualHash(page(640, 360, 0.3, 12)))).toBeLessThanOrEqual(2);
    expect(hammingDistance(hash, perceptualHash(toRgba(page(640, 360))))).toBeLessThanOrEqual(1);
  });

  test('changes strongly with the layout', () => {
    expect(hammingDistance(hash, perceptualHash(page(640, 360, 0.65)))).toBeGreaterThan(12);
  });

  test('of a plain picture is not noise', () => {
    const plain = (gray: number) => perceptualHash({ width: 100, height: 70, data: new Uint8Array(7000).fill(gray) });
    expect([plain(0), plain(7), plain(255)]).toEqual(['0000000000000000', '8000000000000000', '8000000000000000']);
  });

  test('of a picture smaller than its cells, and of one pixel', () => {
    expect(perceptualHash({ width: 1, height: 1, data: Uint8Array.of(9) })).toBe('8000000000000000');
    expect(perceptualHash({ width: 2, height: 1, data: Uint8Array.of(0, 255) })).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each([
    [3, 2, 5],
    [0, 2, 0],
    [1.5, 2, 3],
    [2, 2, 12],
  ])('refuses %d × %d pixels in %d bytes', (width, height, bytes) => {
    expect(() => perceptualHash({ width, height, data: new Uint8Array(bytes) })).toThrow(
      `A picture of ${width} × ${height} pixels has ${bytes} bytes of data.`,
    );
  });
});

describe('the distance', () => {
  test('counts differing bits', () => {
    expect(hammingDistance('0000000000000000', 'ffffffffffffffff')).toBe(64);
    expect(hammingDistance('8000000000000001', '0000000000000000')).toBe(2);
    expect(hammingDistance('0123456789abcdef', '0123456789abcdef')).toBe(0);
  });

  test('picks the nearest exemplar, the first of equals', () => {
    const exemplars = [
      { name: 'far', hash: 'ffffffffffffffff' },
      { name: 'one', hash: '0000000000000001' },
      { name: 'other', hash: '0000000000000002' },
    ];
    expect(nearestExemplar('0000000000000000', exemplars)).toEqual({ name: 'one', distance: 1 });
    expect(nearestExemplar('0000000000000000', [])).toBe(null);
  });
});

describe('learning a class', () => {
  const bits = (count: number) => ((1n << BigInt(count)) - 1n).toString(16).padStart(16, '0');

  test.each<[string, string[], string[], object]>([
    [
      'one picture',
      [bits(0)],
      [],
      {
        distance_max: 6,
        spread: null,
        nearest_negative: null,
        separable: true,
        reason: 'One picture shows no spread; add pictures that do not belong to the class for a better distance.',
      },
    ],
    [
      'alike pictures',
      [bits(0), bits(3), bits(5)],
      [],
      {
        distance_max: 7,
        spread: 3,
        nearest_negative: null,
        separable: true,
        reason:
          'The pictures are within 3 bits of each other; add pictures that do not belong to the class for a better distance.',
      },
    ],
    [
      'unlike pictures',
      [bits(0), bits(30)],
      [],
      {
        distance_max: 30,
        spread: 30,
        nearest_negative: null,
        separable: true,
        reason:
          'The pictures are within 30 bits of each other; that is more than 16, so they may belong to several classes.',
      },
    ],
    [
      'others far away',
      [bits(0), bits(4)],
      [bits(40), bits(24)],
      {
        distance_max: 11,
        spread: 4,
        nearest_negative: 20,
        separable: true,
        reason:
          'The pictures are within 4 bits of each other; the nearest other picture is 20 bits away; this is halfway between.',
      },
    ],
    [
      'others next to it',
      [bits(0), bits(4)],
      [bits(9)],
      {
        distance_max: 4,
        spread: 4,
        nearest_negative: 5,
        separable: true,
        reason:
          'The pictures are within 4 bits of each other; the nearest other picture is 5 bits away; this is halfway between.',
      },
    ],
    [
      'others among it',
      [bits(0), bits(8)],
      [bits(3)],
      {
        distance_max: 2,
        spread: 8,
        nearest_negative: 3,
        separable: false,
        reason:
          'The pictures are within 8 bits of each other, but the nearest other picture is 3 bits away: no distance separates them, and this one excludes as many of the others as possible.',
      },
    ],
    [
      'one picture and another',
      [bits(0)],
      [bits(11)],
      {
        distance_max: 5,
        spread: null,
        nearest_negative: 11,
        separable: true,
        reason: 'One picture shows no spread; the nearest other picture is 11 bits away; this is halfway between.',
      },
    ],
  ])('from %s', (_, positives, negatives, learnt) => {
    expect(learnClass(positives, negatives)).toEqual(learnt);
  });

  test('without examples is refused', () => {
    expect(() => learnClass([])).toThrow('A class of pictures needs at least one example.');
  });
});
