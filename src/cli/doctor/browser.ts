/** Checks the browser: finds it, starts it, asks for its version and closes it. */
import { Browser, ensureBrowser } from '../../chromium/index.ts';
import { type Check, problem } from './check.ts';

const TITLE = 'Browser';

export async function checkBrowser(options: { wanted?: string | undefined; env: NodeJS.ProcessEnv }): Promise<Check> {
  try {
    return isAddress(options.wanted) ? await connect(options.wanted) : await start(options);
  } catch (thrown) {
    return problem('browser', TITLE, thrown);
  }
}

async function start(options: { wanted?: string | undefined; env: NodeJS.ProcessEnv }): Promise<Check> {
  const found = ensureBrowser(() => {}, { ...options, mayInstall: false });
  const begin = performance.now();
  await using browser = await Browser.launch({ browser: found });
  const startMs = Math.round(performance.now() - begin);
  const { product } = browser.identity;
  const kind = found.kind === 'shell' ? 'headless shell' : 'full Chromium, headless';
  return {
    id: 'browser',
    title: TITLE,
    required: true,
    status: 'ok',
    found: `${product} (${kind}) at ${found.path}, found by ${found.via}, started in ${startMs} ms`,
    details: { path: found.path, version: product, kind: found.kind, via: found.via, startMs },
  };
}

async function connect(address: string): Promise<Check> {
  await using browser = await Browser.connect(address);
  const { product } = browser.identity;
  return {
    id: 'browser',
    title: TITLE,
    required: true,
    status: 'ok',
    found: `${product} (remote) at ${address}`,
    details: { path: address, version: product, kind: 'remote', via: '--browser' },
  };
}

function isAddress(wanted: string | undefined): wanted is string {
  return wanted !== undefined && /^(wss?|https?):\/\//.test(wanted);
}

/** Chromium refuses to use its sandbox as root. */
export function checkSandbox(uid: number | undefined): Check {
  const row = { id: 'sandbox', title: 'Sandbox', required: true } as const;
  if (uid !== 0) return { ...row, status: 'ok', found: "not root: the browser's sandbox is on" };
  return {
    ...row,
    status: 'warning',
    found: 'running as root: the browser is started without its sandbox',
    fix: 'This is acceptable for pages that you trust, or in a container. Otherwise run waymark as an ordinary user.',
  };
}
