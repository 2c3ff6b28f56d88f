/** Installing a browser where that is one command and ours to give: `apt-get` as root. Elsewhere: a clear error. */
import { spawnSync } from 'node:child_process';
import { WaymarkError } from '../../errors/index.ts';
import { BROWSER_VARIABLE, type FindOptions, type FoundBrowser, findBrowser } from './find-browser.ts';

const PACKAGE = 'chromium-headless-shell';

/** Finds a browser, or installs one. `say` is told what happens and how long it took. */
export function ensureBrowser(say: (line: string) => void, options: FindOptions = {}): FoundBrowser {
  const found = findBrowser(options);
  if (found) return found;
  if (!options.wanted || options.wanted === 'shell') {
    if (canInstall()) {
      install(say);
      const installed = findBrowser(options);
      if (installed) return installed;
    }
  }
  throw notFound(options.wanted);
}

export function notFound(wanted: string | undefined): WaymarkError {
  return new WaymarkError({
    code: 'browser_not_found',
    message: `No ${wanted === 'shell' ? 'headless shell of Chromium' : 'Chrome or Chromium'} was found on this machine.`,
    hint: [
      'Install one and run again:',
      `  Debian, Ubuntu: apt-get install ${wanted === 'chrome' ? 'chromium' : PACKAGE} (Ubuntu: install Google Chrome)`,
      '  macOS: brew install --cask google-chrome',
      '  Windows: winget install Google.Chrome',
      `or set ${BROWSER_VARIABLE} to the path of a Chrome or Chromium executable.`,
    ].join('\n'),
  });
}

function canInstall(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && run('apt-get', ['--version']) === 0;
}

function install(say: (line: string) => void): void {
  const start = performance.now();
  say(`installing ${PACKAGE} with apt-get (this takes about half a minute) …`);
  // Lists may be missing or old on a fresh image: an update first costs seconds, a failed install costs the run.
  run('apt-get', ['update', '-qq']);
  const status = run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', PACKAGE]);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  say(status === 0 ? `installed ${PACKAGE} in ${seconds} s` : `apt-get could not install ${PACKAGE} (exit code ${status})`);
}

function run(command: string, args: string[]): number | null {
  return spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status;
}
