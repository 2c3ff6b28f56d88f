/** One browser and its contexts, opened by hand: for tests in which every context has settings of its own. */
import {
  Browser,
  findBrowser,
  type LaunchOptions,
  TargetHub,
  Witness,
  type WitnessOptions,
} from '../../src/chromium/index.ts';

export async function launch(options: Partial<LaunchOptions> = {}): Promise<Browser> {
  const browser = findBrowser();
  if (!browser) throw new Error('No browser: run the tests by `npm test`, which finds or installs one.');
  return Browser.launch({ browser, ...options });
}

export async function openBrowserHost(options: Partial<LaunchOptions> = {}) {
  const browser = await launch(options);
  const hub = await TargetHub.start(browser.connection);
  const { root } = browser.connection;
  return {
    browser,
    /** A context with a blank tab, watched under these settings. */
    async openContext(settings: WitnessOptions = {}) {
      const { browserContextId } = await root.send('Target.createBrowserContext', {});
      const witness = await Witness.watch(hub, browserContextId, settings);
      const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
      const firstPage = await witness.pageReady(targetId);
      return {
        witness,
        firstPage,
        async [Symbol.asyncDispose](): Promise<void> {
          witness.stop();
          await root.send('Target.disposeBrowserContext', { browserContextId });
        },
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
export type TestHost = Awaited<ReturnType<typeof openBrowserHost>>;
