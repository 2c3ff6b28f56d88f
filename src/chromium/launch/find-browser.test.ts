import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WaymarkError } from '../../errors/index.ts';
import { findBrowser } from './find-browser.ts';

/** A machine of our own: PATH folders a and b, and a home with Playwright's cache. Nothing of the real one is seen. */
let machine: string;
beforeEach(() => {
  machine = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-find-')));
});
afterEach(() => rmSync(machine, { recursive: true, force: true }));

/** An executable that is no script, so that it stands for itself. */
function program(file: string, head = '\x7fELF'): string {
  const full = path.join(machine, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, head);
  chmodSync(full, 0o755);
  return full;
}

function find(wanted?: string, env: NodeJS.ProcessEnv = {}, platform: NodeJS.Platform = 'linux') {
  const PATH = ['a', 'b'].map((name) => path.join(machine, name)).join(path.delimiter);
  return findBrowser({ wanted, env: { PATH, ...env }, platform, home: path.join(machine, 'home') });
}

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return (error as WaymarkError).toJSON();
  }
  return undefined;
}

test('nothing found is undefined', () => {
  expect(find()).toBeUndefined();
  expect(find('shell')).toBeUndefined();
  expect(find('chrome')).toBeUndefined();
  expect(find(undefined, { PATH: '' })).toBeUndefined();
});

describe('PATH', () => {
  test('a headless shell wins over a full browser, wherever it stands', () => {
    program('a/chromium');
    const shell = program('b/chromium-headless-shell');
    expect(find()).toEqual({ path: shell, kind: 'shell', via: 'PATH' });
  });

  test.each([
    [['chrome-headless-shell', 'chromium-headless-shell'], 'chrome-headless-shell'],
    [['google-chrome', 'chromium-browser', 'chromium'], 'chromium'],
    [['google-chrome-stable', 'google-chrome'], 'google-chrome'],
    [['chrome'], 'chrome'],
  ])('of %j, %s is taken', (names, taken) => {
    for (const name of names) program(`b/${name}`);
    expect(find()?.path).toBe(path.join(machine, 'b', taken));
  });

  test('the first folder wins for the same name', () => {
    program('b/chromium');
    const first = program('a/chromium');
    expect(find()?.path).toBe(first);
  });

  test('a file that is not executable is passed over', () => {
    chmodSync(program('a/chromium'), 0o644);
    const second = program('b/chromium');
    expect(find()?.path).toBe(second);
  });

  test('a wanted kind is the only one looked for', () => {
    const shell = program('a/chrome-headless-shell');
    const chrome = program('a/google-chrome');
    expect(find('chrome')).toEqual({ path: chrome, kind: 'chrome', via: 'PATH' });
    expect(find('shell')).toEqual({ path: shell, kind: 'shell', via: 'PATH' });
    rmSync(shell);
    expect(find('shell')).toBeUndefined();
  });

  test('on Windows programs end in .exe', () => {
    program('a/chrome');
    const exe = program('b/chrome.exe');
    expect(find(undefined, {}, 'win32')?.path).toBe(exe);
  });
});

describe('WAYMARK_BROWSER', () => {
  test('a path wins over everything that is found', () => {
    program('a/chromium-headless-shell');
    const mine = program('mine/my-chrome');
    expect(find(undefined, { WAYMARK_BROWSER: mine })).toEqual({ path: mine, kind: 'chrome', via: 'WAYMARK_BROWSER' });
  });

  test("the kind is read off the program's name", () => {
    for (const name of ['chrome-headless-shell', 'headless_shell']) {
      expect(find(undefined, { WAYMARK_BROWSER: program(`mine/${name}`) })?.kind).toBe('shell');
    }
  });

  test('one that is not there is an error, never passed over', () => {
    program('a/chromium');
    const gone = path.join(machine, 'gone');
    expect(errorOf(() => find(undefined, { WAYMARK_BROWSER: gone }))).toEqual({
      code: 'browser_not_executable',
      message: `WAYMARK_BROWSER names ${gone}, which does not exist.`,
      hint: 'Give the path of a Chrome or Chromium executable, or leave WAYMARK_BROWSER out to use the one that is found.',
    });
  });

  test('one that is not executable is an error too', () => {
    const file = program('mine/notes.txt');
    chmodSync(file, 0o644);
    expect(errorOf(() => find(undefined, { WAYMARK_BROWSER: file }))).toMatchObject({
      message: `WAYMARK_BROWSER names ${file}, which is not an executable file.`,
    });
  });

  test('an empty value is no value', () => {
    const chromium = program('a/chromium');
    expect(find(undefined, { WAYMARK_BROWSER: '' })?.path).toBe(chromium);
  });

  test('what was wanted on the command line comes before it', () => {
    const mine = program('mine/my-chrome');
    const shell = program('a/chromium-headless-shell');
    expect(find('shell', { WAYMARK_BROWSER: mine })?.path).toBe(shell);
    expect(find(shell, { WAYMARK_BROWSER: mine })).toEqual({ path: shell, kind: 'shell', via: '--browser' });
  });
});

test('--browser with a bad path is an error that names it', () => {
  const gone = path.join(machine, 'gone');
  expect(errorOf(() => find(gone))).toEqual({
    code: 'browser_not_executable',
    message: `--browser names ${gone}, which does not exist.`,
    hint: 'Give the path of a Chrome or Chromium executable, or leave --browser out to use the one that is found.',
  });
});

describe('wrappers', () => {
  test('a link is followed to the program', () => {
    const real = program('opt/chrome/chrome');
    mkdirSync(path.join(machine, 'a'));
    symlinkSync(real, path.join(machine, 'a', 'google-chrome'));
    expect(find()).toEqual({ path: real, kind: 'chrome', via: 'PATH' });
  });

  test('a script with nothing known behind it is started itself', () => {
    const script = program('mine/start-chrome.sh', '#!/bin/sh\n');
    expect(find(script)?.path).toBe(script);
  });

  // Needs a Debian with the package: its script and its program lie at fixed places.
  const wrapper = '/usr/bin/chromium-headless-shell';
  const isDebian = existsSync(wrapper) && readFileSync(wrapper, 'latin1').startsWith('#!');
  test.skipIf(!isDebian)("Debian's script is passed by for the program behind it", () => {
    expect(find(wrapper)).toEqual({
      path: '/usr/lib/chromium/chromium-headless-shell',
      kind: 'shell',
      via: '--browser',
    });
    expect(find(undefined, { PATH: '/usr/bin' })?.path).toBe('/usr/lib/chromium/chromium-headless-shell');
  });
});

// Known faults: these go red when they are mended, and then lose their `.fails`.
describe('known faults', () => {
  test('a folder is no browser', () => {
    mkdirSync(path.join(machine, 'a', 'chromium'), { recursive: true });
    expect(find()).toBeUndefined();
  });

  test('a variable that names a folder is an error in words', () => {
    expect(errorOf(() => find(undefined, { WAYMARK_BROWSER: machine }))).toMatchObject({
      code: 'browser_not_executable',
    });
  });

  const debian = existsSync('/usr/lib/chromium/chromium-headless-shell');
  test.skipIf(!debian)("a wrapper of one's own is not taken for Debian's", () => {
    const own = program('mine/chromium-headless-shell', '#!/bin/sh\n');
    expect(find(own)?.path).toBe(own);
  });
});

describe("Playwright's cache", () => {
  const cache = 'home/.cache/ms-playwright';
  const via = "Playwright's cache";

  test('the newest revision is taken, by number and not by letter', () => {
    program(`${cache}/chromium_headless_shell-999/chrome-linux/headless_shell`);
    const newest = program(`${cache}/chromium_headless_shell-1200/chrome-linux/headless_shell`);
    expect(find()).toEqual({ path: newest, kind: 'shell', via });
  });

  test('a revision without its program (a broken download) is passed over', () => {
    mkdirSync(path.join(machine, cache, 'chromium_headless_shell-1300/chrome-linux'), { recursive: true });
    const whole = program(`${cache}/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell`);
    expect(find()?.path).toBe(whole);
  });

  test('PATH comes before it for the same kind, and its shell before a full browser on PATH', () => {
    const cached = program(`${cache}/chromium_headless_shell-1200/chrome-linux/headless_shell`);
    program('a/chromium');
    expect(find()?.path).toBe(cached);
    const onPath = program('a/chrome-headless-shell');
    expect(find()?.path).toBe(onPath);
  });

  test('a full browser is found there too, and other browsers are not', () => {
    program(`${cache}/firefox-1500/firefox/chrome`);
    expect(find()).toBeUndefined();
    const chrome = program(`${cache}/chromium-1200/chrome-linux/chrome`);
    expect(find()).toEqual({ path: chrome, kind: 'chrome', via });
  });

  test('it lies elsewhere on macOS and Windows', () => {
    const mac = program(
      'home/Library/Caches/ms-playwright/chromium-1200/chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    );
    expect(find('chrome', {}, 'darwin')?.path).toBe(mac);
    const windows = program('local/ms-playwright/chromium-1200/chrome-win/chrome.exe');
    expect(find('chrome', { LOCALAPPDATA: path.join(machine, 'local') }, 'win32')?.path).toBe(windows);
  });

  test('PLAYWRIGHT_BROWSERS_PATH moves it', () => {
    program(`${cache}/chromium_headless_shell-1200/chrome-linux/headless_shell`);
    const moved = program('elsewhere/chromium_headless_shell-1100/chrome-linux/headless_shell');
    expect(find(undefined, { PLAYWRIGHT_BROWSERS_PATH: path.join(machine, 'elsewhere') })?.path).toBe(moved);
  });
});

test("on Windows a full browser's usual place is looked at", () => {
  const chrome = program('programs/Google/Chrome/Application/chrome.exe');
  const env = { PROGRAMFILES: path.join(machine, 'programs') };
  expect(find(undefined, env, 'win32')).toEqual({ path: chrome, kind: 'chrome', via: 'its usual place' });
  expect(find(undefined, env, 'linux')).toBeUndefined();
});
