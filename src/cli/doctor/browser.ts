/** The browser: found, started for real, asked for its version, and closed. */
import { Browser, ensureBrowser } from '../../chromium/index.ts';
import { type Check, problem } from './check.ts';

const TITLE = 'Browser';

export async function checkBrowser(options: { wanted?: string | undefined; env: NodeJS.ProcessEnv }): Promise<Check> {
  try {
    return isAddress(options.wanted) ? await visit(options.wanted) : await start(options);
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

async function visit(address: string): Promise<Check> {
  await using browser = await Browser.connect(address);
  const { product } = browser.identity;
  return {
    id: 'browser',
    title: TITLE,
    required: true,
    status: 'ok',
    found: `${product} (running elsewhere) at ${address}`,
    details: { path: address, version: product, kind: 'remote', via: '--browser' },
  };
}

function isAddress(wanted: string | undefined): wanted is string {
  return wanted !== undefined && /^(wss?|https?):\/\//.test(wanted);
}

/** Chromium refuses its sandbox for root. */
export function checkSandbox(uid: number | undefined): Check {
  const row = { id: 'sandbox', title: 'Sandbox', required: true } as const;
  if (uid !== 0) return { ...row, status: 'ok', found: "not root: the browser's sandbox is on" };
  return {
    ...row,
    status: 'warning',
    found: 'running as root: the browser is started without its sandbox',
    fix: 'Fine for pages that you trust, and in a container. For others run waymark as an ordinary user.',
  };
}
