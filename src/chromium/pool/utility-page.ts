/**
 * The harness's own page in a browser. It exchanges the contents of the clipboard, which all contexts of a browser share, and records what
 * the permission states are when none has been granted.
 */

import { SharedClipboard } from '../clipboard/shared-clipboard.ts';
import { PictureDecoder } from '../pictures.ts';
import type { TargetHub } from '../witness/target-hub.ts';
import { BlankPage } from './blank-page.ts';

/** An invented secure origin: insecure origins cannot use the clipboard. */
const ORIGIN = 'https://utility-page.waymark.test';

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
  /** The permission states of a context in which no permission was granted. */
  readonly defaultPermissions: Readonly<Record<string, string>>;

  /** Decodes pictures here, and not in a page that is being observed. */
  readonly pictures: PictureDecoder;

  readonly clipboard: SharedClipboard;

  private constructor(page: BlankPage, clipboard: SharedClipboard, defaultPermissions: Record<string, string>) {
    this.#page = page;
    this.clipboard = clipboard;
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
      // Only a focused page can use the clipboard.
      page.session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
    ]);
    return new UtilityPage(page, await SharedClipboard.open(page), defaults);
  }

  /** Resolves when its renderer has crashed, or the page is gone with its browser. */
  get gone(): Promise<void> {
    return this.#page.session.detached;
  }
}
