/** Finds a browser: environment variable, then PATH, then Playwright's cache. `install-browser.ts` installs one. */
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { isExecutable, listFolder } from './executables.ts';

export const BROWSER_VARIABLE = 'WAYMARK_BROWSER';

export type BrowserKind = 'shell' | 'chrome';

export interface FoundBrowser {
  path: string;
  kind: BrowserKind;
  /** A description of where it was found. */
  via: string;
}

export interface FindOptions {
  /** `shell`, `chrome`, or a path. Undefined: the best browser that is installed. */
  wanted?: string | undefined;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  /** Other folders to search, for tests. */
  home?: string;
}

const SHELL_NAMES = ['chrome-headless-shell', 'chromium-headless-shell'];
const CHROME_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The best browser on this machine, or undefined. A path or a variable that does not name a browser is an error and is never ignored. */
export function findBrowser(options: FindOptions = {}): FoundBrowser | undefined {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const wanted = options.wanted;
  if (wanted && wanted !== 'shell' && wanted !== 'chrome') return named(wanted, '--browser');
  const variable = env[BROWSER_VARIABLE];
  if (variable && !wanted) return named(variable, BROWSER_VARIABLE);

  const kinds: BrowserKind[] = wanted === 'shell' ? ['shell'] : wanted === 'chrome' ? ['chrome'] : ['shell', 'chrome'];
  for (const kind of kinds) {
    const onPath = searchPath(kind === 'shell' ? SHELL_NAMES : CHROME_NAMES, env, platform);
    if (onPath) return { path: behindWrapper(onPath), kind, via: 'PATH' };
    const place = kind === 'chrome' ? usualPlaces(platform, env).find(isExecutable) : undefined;
    if (place) return { path: place, kind, via: 'its usual place' };
    const cached = searchPlaywrightCache(kind, options.home ?? homedir(), env, platform);
    if (cached) return { path: cached, kind, via: "Playwright's cache" };
  }
  return undefined;
}

function named(file: string, via: string): FoundBrowser {
  if (!isExecutable(file)) {
    throw new WaymarkError({
      code: 'browser_not_executable',
      message: `${via} names ${file}, which ${existsSync(file) ? 'is not an executable file' : 'does not exist'}.`,
      hint: `Give the path of a Chrome or Chromium executable, or leave ${via} out to use the one that is found.`,
    });
  }
  return { path: behindWrapper(file), kind: kindOf(file), via };
}

function kindOf(file: string): BrowserKind {
  return /headless[-_]shell/.test(path.basename(file)) ? 'shell' : 'chrome';
}

function searchPath(names: string[], env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const suffix = platform === 'win32' ? '.exe' : '';
  for (const name of names) {
    for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
      const file = path.join(folder, name + suffix);
      if (folder && isExecutable(file)) return file;
    }
  }
  return undefined;
}

function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
  if (platform === 'darwin') {
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ];
  }
  if (platform !== 'win32') return [];
  return [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']]
    .filter((folder): folder is string => Boolean(folder))
    .map((folder) => path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'));
}

/** Playwright keeps browsers as `<cache>/chromium_headless_shell-1234/chrome-linux/headless_shell`. The newest revision wins. */
function searchPlaywrightCache(
  kind: BrowserKind,
  home: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string | undefined {
  const usual =
    platform === 'darwin'
      ? path.join(home, 'Library', 'Caches', 'ms-playwright')
      : platform === 'win32'
        ? path.join(env['LOCALAPPDATA'] ?? home, 'ms-playwright')
        : path.join(home, '.cache', 'ms-playwright');
  const cache = env['PLAYWRIGHT_BROWSERS_PATH'] || usual;
  const prefix = kind === 'shell' ? 'chromium_headless_shell-' : 'chromium-';
  const executables = [
    'headless_shell',
    'chrome-headless-shell',
    'chrome',
    'headless_shell.exe',
    'chrome.exe',
    'Chromium',
  ];
  const revisions = listFolder(cache)
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)));
  for (const revision of revisions) {
    for (const inner of listFolder(path.join(cache, revision))) {
      for (const executable of [...executables, path.join('Chromium.app', 'Contents', 'MacOS', 'Chromium')]) {
        const file = path.join(cache, revision, inner, executable);
        if (isExecutable(file)) return file;
      }
    }
  }
  return undefined;
}

/**
 * Debian's /usr/bin/chromium and /usr/bin/chromium-headless-shell are shell scripts in front of the real program in
 * /usr/lib/chromium: killing the script would leave the browser running, so the program itself is started.
 */
function behindWrapper(file: string): string {
  const resolved = realpathSync(file);
  // A user's own script of that name, in another folder, is started as it is.
  if (path.dirname(resolved) !== '/usr/bin' || !isScript(resolved)) return resolved;
  const program = path.join('/usr/lib/chromium', path.basename(file));
  return isExecutable(program) && !isScript(program) ? program : resolved;
}

function isScript(file: string): boolean {
  const head = Buffer.alloc(2);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, head, 0, 2, 0);
  } finally {
    closeSync(handle);
  }
  return head.toString('latin1') === '#!';
}
