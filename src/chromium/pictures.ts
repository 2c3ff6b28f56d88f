/** Decodes pictures to pixels with the browser, which reads every screenshot format. This saves an image library. */
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { Browser } from './launch/browser.ts';
import { BlankPage } from './pool/blank-page.ts';
import { TargetHub } from './witness/target-hub.ts';

export interface DecodedPicture {
  width: number;
  height: number;
  /** RGBA, four bytes per pixel. */
  data: Uint8Array;
}

/** A perceptual hash uses 32 by 32 averages, so that more pixels than this only cost time. */
const LONGEST_SIDE = 512;

export class PictureDecoder {
  readonly #page: BlankPage;

  /** Uses an existing page. */
  constructor(page: BlankPage) {
    this.#page = page;
  }

  static async open(browser: Browser): Promise<PictureDecoder> {
    const hub = await TargetHub.start(browser.connection);
    const { browserContextId } = await browser.connection.root.send('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    const page = await BlankPage.open(hub, browserContextId);
    await page.goto('https://pictures.waymark.test');
    return new PictureDecoder(page);
  }

  /** `name` is used in the error message. */
  async decode(bytes: Buffer, name: string): Promise<DecodedPicture> {
    try {
      const { width, height, base64 } = await this.#page.evaluate<{ width: number; height: number; base64: string }>(
        `(${decodeInPage.toString()})(${JSON.stringify(bytes.toString('base64'))}, ${LONGEST_SIDE})`,
        15_000,
      );
      return { width, height, data: Buffer.from(base64, 'base64') };
    } catch (cause) {
      throw new WaymarkError({
        code: 'picture_unreadable',
        message: `${name} is not a picture that the browser can read: ${messageOf(cause).split('\n')[0]}.`,
        hint: 'Use PNG, JPEG or WebP.',
        cause,
      });
    }
  }
}

/** Runs in the page. */
async function decodeInPage(
  base64: string,
  longestSide: number,
): Promise<{ width: number; height: number; base64: string }> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  let binary = '';
  // Converted in pieces, because a call with a million arguments overflows the stack.
  for (let i = 0; i < data.length; i += 8_192) binary += String.fromCharCode(...data.subarray(i, i + 8_192));
  return { width, height, base64: btoa(binary) };
}
