/** The floor: the same form in a raw CDP loop, with a new context an episode and the pictures that Waymark takes, and no evidence at all. */
import { Browser, type FoundBrowser, type Session } from '../src/chromium/index.ts';
import type { RivalOptions } from './throughput-playwright.ts';
import { FORM } from './throughput-task.ts';

export async function floorEpisodes(options: RivalOptions, found: FoundBrowser): Promise<number> {
  await using browser = await Browser.launch({ browser: found, resolverRules: options.resolverRules });
  const { connection } = browser;
  const { root } = connection;
  const episode = async (): Promise<void> => {
    const { browserContextId } = await root.send('Target.createBrowserContext', {});
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    await formEpisode(connection.session(sessionId), options.origin);
    await root.send('Target.disposeBrowserContext', { browserContextId });
  };
  // Waymark's slots are warm when the clock starts, and so is this browser.
  await episode();
  const start = performance.now();
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun++ < options.episodes) await episode();
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return performance.now() - start;
}

async function formEpisode(page: Session, origin: string): Promise<void> {
  const picture = () => page.send('Page.captureScreenshot', { format: 'jpeg', quality: 80 });
  await page.send('Page.enable');
  await loading(page, () => page.send('Page.navigate', { url: `${origin}/form` }));
  await picture();
  await type(page, '#name', FORM.name);
  await picture();
  await type(page, '#email', FORM.email);
  await picture();
  await evaluate(
    page,
    `(() => { const plan = document.querySelector('#plan'); plan.value = ${JSON.stringify(FORM.plan)}; plan.dispatchEvent(new Event('change', { bubbles: true })); })()`,
  );
  await picture();
  await click(page, '#terms');
  await picture();
  await loading(page, () => click(page, '#submit'));
  const url = String(await evaluate(page, 'location.href'));
  if (!FORM.done.test(url)) throw new Error(`The form was not sent: ${url}`);
  await picture();
}

async function loading(page: Session, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.next('Page.loadEventFired', undefined, { timeoutMs: 30_000 }), act()]);
}

async function type(page: Session, selector: string, text: string): Promise<void> {
  await evaluate(page, `document.querySelector(${JSON.stringify(selector)}).focus()`);
  await page.send('Input.insertText', { text });
}

async function click(page: Session, selector: string): Promise<void> {
  const box = `(() => { const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()`;
  const [x, y] = (await evaluate(page, box)) as [number, number];
  const at = { x, y, button: 'left', clickCount: 1 } as const;
  await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
  await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
}

async function evaluate(page: Session, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', { expression, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
