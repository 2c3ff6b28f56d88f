import { expect, test } from 'vitest';
import { checkPicture } from './picture-size.ts';

/** The header of a JPEG: an APP0 segment, a table, and the frame. */
function jpeg(width: number, height: number): Uint8Array {
  const frame = [0xff, 0xc2, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 3, 9, ...frame]);
}

function png(width: number, height: number): Uint8Array {
  const data = new Uint8Array(33);
  data.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(data.buffer).setUint32(16, width);
  new DataView(data.buffer).setUint32(20, height);
  return data;
}

const check = (data: Uint8Array, mediaType = 'image/jpeg') =>
  checkPicture({ key: 'screenshots/001.jpg', data, mediaType });

test('a picture of the usual size is sent as it is', () => {
  expect(() => check(jpeg(1280, 720))).not.toThrow();
  expect(() => check(png(2000, 2000), 'image/png')).not.toThrow();
});

test('a larger one is refused with its size and what to do', () => {
  expect(() => check(jpeg(3840, 2160))).toThrow(
    'The picture screenshots/001.jpg has 3840 × 2160 pixels, and a judge is shown at most 2000 × 2000. Give the task a smaller viewport ("setup.viewport").',
  );
  expect(() => check(png(800, 2001), 'image/png')).toThrow('800 × 2001');
});

test.each([
  ['nothing', new Uint8Array()],
  ['another format', png(10, 10)],
  ['a header that ends too early', jpeg(10, 10).subarray(0, 14)],
])('%s is no picture', (_, data) => {
  expect(() => check(data)).toThrow(
    "The picture screenshots/001.jpg can't be shown to a judge: it is not a whole image/jpeg.",
  );
});
