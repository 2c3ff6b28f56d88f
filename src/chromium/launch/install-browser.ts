/** Installs a browser with `apt-get` where the process runs as root. Elsewhere it reports an error with instructions. */
import { spawnSync } from 'node:child_process';
import { WaymarkError } from '../../errors/index.ts';
import { BROWSER_VARIABLE, type FindOptions, type FoundBrowser, findBrowser } from './find-browser.ts';

const PACKAGES = { shell: 'chromium-headless-shell', chrome: 'chromium' } as const;
/** How much of apt-get's output is kept for the error. */
const LINES_KEPT = 5;

export interface EnsureOptions extends FindOptions {
  /** `false`: only look for an installed browser. */
  mayInstall?: boolean;
  /** Runs apt-get; replaced in tests. */
  apt?: (args: readonly string[]) => { status: number | null; output: string };
}

/** Finds a browser, or installs one. `say` receives progress messages with durations. */
export function ensureBrowser(say: (line: string) => void, options: EnsureOptions = {}): FoundBrowser {
  const found = findBrowser(options);
  if (found) return found;
  const apt = options.apt ?? aptGet;
  let trouble: string | undefined;
  if (options.mayInstall !== false && canInstall(apt)) {
    const kind = options.wanted === 'chrome' ? 'chrome' : 'shell';
    trouble = install(PACKAGES[kind], say, apt);
    const installed = findBrowser(options);
    if (installed) return installed;
  }
  throw notFound(options.wanted, trouble);
}

function notFound(wanted: string | undefined, trouble: string | undefined): WaymarkError {
  const what = wanted === 'shell' ? 'headless shell of Chromium' : 'Chrome or Chromium';
  return new WaymarkError({
    code: 'browser_not_found',
    message: `No ${what} was found on this machine.${trouble ? ` ${trouble}` : ''}`,
    hint: [
      'Install one and run again:',
      `  Debian: apt-get install ${wanted === 'chrome' ? PACKAGES.chrome : PACKAGES.shell}`,
      '  Ubuntu: install Google Chrome from its .deb (the chromium package there is a snap)',
      '  macOS: brew install --cask google-chrome',
      '  Windows: winget install Google.Chrome',
      `or set ${BROWSER_VARIABLE} to the path of a Chrome or Chromium executable.`,
    ].join('\n'),
  });
}

type Apt = NonNullable<EnsureOptions['apt']>;

function canInstall(apt: Apt): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && apt(['--version']).status === 0;
}

/** A sentence about the failure, or undefined. */
function install(name: string, say: (line: string) => void, apt: Apt): string | undefined {
  const start = performance.now();
  say(`installing ${name} with apt-get (about half a minute) …`);
  // The package lists may be missing or old on a fresh image. An update costs seconds; a failed install costs the run.
  const updated = apt(['update', '-qq']);
  const installed = apt(['install', '-y', '-qq', '--no-install-recommends', name]);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  if (installed.status === 0) {
    say(`installed ${name} in ${seconds} s`);
    return undefined;
  }
  const lines = `${updated.output}\n${installed.output}`.split('\n').filter((line) => /^[EW]:/.test(line));
  return `apt-get could not install ${name} (exit code ${installed.status}):\n${lines.slice(-LINES_KEPT).join('\n')}`;
}

function aptGet(args: readonly string[]): { status: number | null; output: string } {
  const { status, stderr } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return { status, output: stderr ?? '' };
}
