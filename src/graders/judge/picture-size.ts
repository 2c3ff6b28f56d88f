/**
 * The size of a picture, read from its header. Pictures are sent as they were taken: the harness takes JPEG of the viewport, 1280 × 720 by
 * default. Making a larger one smaller needs a decoder of images, which grading does not have; it is refused with a sentence instead.
 */
import { type JudgePicture, JudgeProblem } from './judge.ts';

/** Anthropic refuses larger ones in a request with many pictures; OpenAI makes those beyond 2048 pixels smaller by itself. */
const MAX_SIDE = 2_000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws JudgeProblem where the picture is too large to be sent, or is neither JPEG nor PNG. */
export function checkPicture({ key, data, mediaType }: JudgePicture): void {
  const size = mediaType === 'image/png' ? pngSize(data) : jpegSize(data);
  if (!size) throw new JudgeProblem(`The picture ${key} can't be shown to a judge: it is not a whole ${mediaType}.`);
  const { width, height } = size;
  if (Math.max(width, height) <= MAX_SIDE) return;
  throw new JudgeProblem(
    `The picture ${key} has ${width} × ${height} pixels, and a judge is shown at most ${MAX_SIDE} × ${MAX_SIDE}. Give the task a smaller viewport ("setup.viewport").`,
  );
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function pngSize(data: Uint8Array): Size | undefined {
  if (data.length < 24 || PNG.some((byte, index) => data[index] !== byte)) return undefined;
  const view = viewOf(data);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The frame header (SOF) has it; segments before it are skipped by their length. */
function jpegSize(data: Uint8Array): Size | undefined {
  if (data[0] !== 0xff || data[1] !== 0xd8) return undefined;
  const view = viewOf(data);
  let at = 2;
  while (at + 9 < data.length && data[at] === 0xff) {
    const marker = data[at + 1] ?? 0;
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** C4, C8 and CC are in the same range, and are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
