/**
 * A 64-bit perceptual hash: similar pictures have similar hashes, whatever their size or compression.
 * Each bit tells whether one of the low frequencies of the 32 × 32 picture's cosine transform is above the median.
 */
import { WaymarkError } from '../errors/index.ts';
import type { Exemplar } from './facts.ts';

export interface Picture {
  width: number;
  height: number;
  /** One byte per pixel (gray) or four (red, green, blue, alpha; alpha is ignored), row by row. */
  data: Uint8Array | Uint8ClampedArray;
}

const SIZE = 32;
const LOW = 8;

/** COSINES[u][x]. The hash needs only the eight lowest frequencies. */
const COSINES = Array.from({ length: LOW }, (_, u) =>
  Float64Array.from({ length: SIZE }, (_, x) => Math.cos(((2 * x + 1) * u * Math.PI) / (2 * SIZE))),
);

/**
 * @returns 16 hexadecimal digits.
 * @example
 * perceptualHash({ width: 2, height: 1, data: Uint8Array.of(0, 255) }).length; // 16
 */
export function perceptualHash(picture: Picture): string {
  const cells = shrink(picture);
  // Rows first, then the columns of the result: a sixth of the work of a two-dimensional transform.
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const row = cells.subarray(y * SIZE, (y + 1) * SIZE);
    return COSINES.map((across) => dot(row, across));
  });
  const frequencies = COSINES.flatMap((down) =>
    // Rounding removes floating-point noise, which would otherwise decide the bits of a plain picture.
    COSINES.map((_, u) =>
      Math.round(
        dot(
          rows.map((row) => row[u] ?? 0),
          down,
        ) * 1000,
      ),
    ),
  );
  const sorted = frequencies.toSorted((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  let hash = '';
  for (let i = 0; i < frequencies.length; i += 4) {
    const [a, b, c, d] = frequencies.slice(i, i + 4).map((frequency) => (frequency > median ? 1 : 0));
    hash += (((a ?? 0) << 3) | ((b ?? 0) << 2) | ((c ?? 0) << 1) | (d ?? 0)).toString(16);
  }
  return hash;
}

function dot(values: ArrayLike<number>, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (values[i] ?? 0) * (weights[i] ?? 0);
  return sum;
}

/** The picture as 32 × 32 gray cells; each is the mean of the pixels under it. */
function shrink({ width, height, data }: Picture): Float64Array {
  const channels = data.length / (width * height);
  if (
    !Number.isInteger(width) ||
    !Number.isInteger(height) ||
    width < 1 ||
    height < 1 ||
    (channels !== 1 && channels !== 4)
  ) {
    throw new WaymarkError({
      code: 'picture_size',
      message: `A picture of ${width} × ${height} pixels has ${data.length} bytes of data.`,
      hint: 'Give one byte per pixel (gray) or four (red, green, blue, alpha).',
    });
  }
  const cells = new Float64Array(SIZE * SIZE);
  for (let row = 0; row < SIZE; row++) {
    const [top, bottom] = span(row, height);
    for (let column = 0; column < SIZE; column++) {
      const [left, right] = span(column, width);
      let sum = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) sum += grayAt(data, (y * width + x) * channels, channels);
      }
      cells[row * SIZE + column] = sum / ((bottom - top) * (right - left));
    }
  }
  return cells;
}

function span(cell: number, length: number): [number, number] {
  const from = Math.floor((cell * length) / SIZE);
  return [from, Math.max(from + 1, Math.floor(((cell + 1) * length) / SIZE))];
}

function grayAt(data: Picture['data'], at: number, channels: number): number {
  if (channels === 1) return data[at] ?? 0;
  return 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
}

/**
 * How many of the 64 bits differ: 0 for the same picture, about 32 for unrelated pictures.
 *
 * @example
 * hammingDistance('ffffffffffffffff', 'fffffffffffffff0'); // 4
 */
export function hammingDistance(a: string, b: string): number {
  return bitsOf(a.slice(0, 8), b.slice(0, 8)) + bitsOf(a.slice(8), b.slice(8));
}

function bitsOf(a: string, b: string): number {
  let differing = Number.parseInt(a, 16) ^ Number.parseInt(b, 16);
  let bits = 0;
  for (; differing !== 0; differing &= differing - 1) bits++;
  return bits;
}

/** The exemplar with the nearest hash, the first one if several are equally near; null if there are none. */
export function nearestExemplar(
  hash: string,
  exemplars: readonly Exemplar[],
): { name: string; distance: number } | null {
  let nearest: { name: string; distance: number } | null = null;
  for (const exemplar of exemplars) {
    const distance = hammingDistance(hash, exemplar.hash);
    if (nearest === null || distance < nearest.distance) nearest = { name: exemplar.name, distance };
  }
  return nearest;
}
