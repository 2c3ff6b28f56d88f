/** How long the HTML page of a run takes to open in a real browser: from the navigation to the second frame after everything is loaded. */
import { pathToFileURL } from 'node:url';
import { Browser, findBrowser } from '../src/chromium/index.ts';
import { median, timed } from './measure.ts';

const ROUNDS = 5;
const LOADED = `new Promise((resolve) => {
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelectorAll('*').length)));
  if (document.readyState === 'complete') drawn(); else addEventListener('load', drawn);
})`;

export interface OpenedPage {
  /** The median of several openings, each in a tab of its own. */
  ms: number;
  /** Elements in the page. */
  elements: number;
}

export async function openPage(file: string): Promise<OpenedPage> {
  const browser = findBrowser();
  if (!browser) throw new Error('No browser: run it by `npm run bench:runs`, which finds or installs one.');
  await using launched = await Browser.launch({ browser });
  const { connection } = launched;
  const url = pathToFileURL(file).href;
  let elements = 0;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { targetId } = await connection.root.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await connection.root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = connection.session(sessionId);
    await session.send('Page.enable');
    const opening = async (): Promise<void> => {
      const { errorText } = await session.send('Page.navigate', { url });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      const evaluated = { expression: LOADED, awaitPromise: true, returnByValue: true };
      elements = Number((await session.send('Runtime.evaluate', evaluated)).result.value);
    };
    times.push(await timed(opening));
    await connection.root.send('Target.closeTarget', { targetId });
  }
  return { ms: median(times), elements };
}
