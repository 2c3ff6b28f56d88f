/**
 * The harness's own page in a browser: it reads and empties the clipboard, which all contexts of a browser share, and knows what
 * permissions look like when nobody has granted any.
 */

import { PictureDecoder } from '../pictures.ts';
import type { TargetHub } from '../witness/target-hub.ts';
import { BlankPage } from './blank-page.ts';

/** A secure origin that exists nowhere: the clipboard is closed to others. */
const ORIGIN = 'https://utilityPage.waymark.test';

/** A neighbour may write again before the emptied clipboard has been read. */
const EMPTYING_TRIES = 5;

const PERMISSION_NAMES = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'clipboard-read',
  'clipboard-write',
  'midi',
  'persistent-storage',
  'idle-detection',
  'window-management',
  'local-fonts',
] as const;

/** In a page: the state of each permission by name. */
export const READ_PERMISSIONS = `(async () => {
  const state = async (name) => {
    try { return (await navigator.permissions.query({ name })).state; } catch { return 'unknown'; }
  };
  const names = ${JSON.stringify(PERMISSION_NAMES)};
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await state(name)])));
})()`;

export class UtilityPage {
  readonly #page: BlankPage;
  /** Permission states of a context where nothing was granted. */
  readonly defaultPermissions: Readonly<Record<string, string>>;

  /** Pixels of pictures, decoded here and not in a page that is watched. */
  readonly pictures: PictureDecoder;

  private constructor(page: BlankPage, defaultPermissions: Record<string, string>) {
    this.#page = page;
    this.pictures = new PictureDecoder(page);
    this.defaultPermissions = defaultPermissions;
  }

  static async start(hub: TargetHub): Promise<UtilityPage> {
    const { root } = hub.connection;
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    const page = await BlankPage.open(hub, browserContextId);
    await page.goto(ORIGIN);
    const defaults = await page.evaluate<Record<string, string>>(READ_PERMISSIONS);
    await Promise.all([
      root.send('Browser.grantPermissions', {
        browserContextId,
        permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'],
      }),
      // The clipboard answers only to a page in focus.
      page.session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ]);
    return new UtilityPage(page, defaults);
  }

  /** The kinds of data on the clipboard; empty when there is nothing on it. */
  async clipboard(): Promise<string[]> {
    return this.#page.evaluate<string[]>(
      'navigator.clipboard.read().then((items) => items.flatMap((item) => [...item.types]))',
    );
  }

  /** What is on it afterwards: nothing, but where a neighbour writes to it all the time. */
  async emptyClipboard(): Promise<string[]> {
    return this.#page.evaluate<string[]>(`(async () => {
      let left;
      for (let tries = 0; tries < ${EMPTYING_TRIES}; tries++) {
        await navigator.clipboard.writeText('');
        left = (await navigator.clipboard.read()).flatMap((item) => [...item.types]);
        if (left.length === 0) break;
      }
      return left;
    })()`);
  }
}
