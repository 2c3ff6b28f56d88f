/**
 * A harness in a separate process, for tests of what is left when it ends. It prints what it has open as one line of JSON, then follows its argument:
 * `exit` and `throw` end it at once; `wait` waits to be killed; `sigterm` waits too, and ends on SIGTERM as the command line does.
 */
import { Browser, findBrowser, Pool } from '../../src/chromium/index.ts';

const [then = 'exit', slots = '0'] = process.argv.slice(2);
const browser = findBrowser();
if (!browser) throw new Error('No browser');
const start = () => Browser.launch({ browser });

const browsers: Browser[] = [];
const contexts: string[] = [];
if (Number(slots) > 0) {
  // Two slots a browser: more than one browser, each with several contexts in use.
  const pool = new Pool({ slots: Number(slots), slotsPerBrowser: 2, start });
  const acquired = await Promise.all(Array.from({ length: Number(slots) }, () => pool.acquire()));
  for (const { slot } of acquired) {
    contexts.push(slot.contextId);
    void slot.firstPage.session
      .send('Runtime.evaluate', { expression: 'for (;;);' }, { timeoutMs: 600_000 })
      .catch(() => {});
  }
  browsers.push(...pool.browsers);
} else {
  browsers.push(await start());
}
if (then === 'sigterm') process.once('SIGTERM', () => process.exit(143));
process.stdout.write(`${JSON.stringify({ pids: browsers.map(({ pid }) => pid), contexts })}\n`);

if (then === 'exit') process.exit(0);
if (then === 'throw') throw new Error('a fault of the harness');
setInterval(() => {}, 1_000);
