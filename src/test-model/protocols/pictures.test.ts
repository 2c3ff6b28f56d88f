import { expect, test } from 'vitest';
import { checkText, readBase64, readDataUrl } from './pictures.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const bytes = Buffer.from(PNG, 'base64');

test('a picture is known by its type and its size', () => {
  expect(readDataUrl(`data:image/png;base64,${PNG}`, 'x')).toEqual({ mediaType: 'image/png', bytes: 72 });
  expect(readBase64(PNG, 'x').mediaType).toBe('image/png');
});

test.each([
  ['an address', 'https://example.com/x.png', 'x: the image must be a base64 data URL.'],
  ['another type', `data:image/tiff;base64,${PNG}`, 'x: unsupported image type "image/tiff".'],
  ['other bytes', `data:image/jpeg;base64,${PNG}`, 'x: the data is not an image of the type image/jpeg.'],
  ['no base64', 'data:image/png;base64,iVBORw0KGgo!', 'x: invalid base64 data.'],
])('%s is refused', (_, url, message) => {
  expect(() => readDataUrl(url, 'x')).toThrow(message);
});

test.each([
  ['base64', `Screenshot: ${PNG}`],
  ['a list of bytes', JSON.stringify(bytes)],
  ['bytes by number', JSON.stringify(new Uint8Array(bytes))],
])('a picture in a text as %s is refused', (_, text) => {
  expect(() => checkText(text, 'x')).toThrow(/^x: the text holds /);
});

test('other text stays as it is', () => {
  const text = 'A page with 137, 80 and 78 items; see /9j/ and iVBORw0KGgo.';
  expect(checkText(text, 'x')).toBe(text);
});
