import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WaymarkError } from '../../errors/index.ts';
import { type EnsureOptions, ensureBrowser } from './install-browser.ts';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-install-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ensure(options: EnsureOptions) {
  return ensureBrowser((line) => said.push(line), { env: { PATH: folder }, home: folder, ...options });
}

function put(name: string): void {
  writeFileSync(path.join(folder, name), '\x7fELF');
  chmodSync(path.join(folder, name), 0o755);
}

function errorOf(action: () => unknown): WaymarkError | undefined {
  try {
    action();
  } catch (error) {
    return error as WaymarkError;
  }
  return undefined;
}

test('a browser that is there is taken, and nothing is installed', () => {
  put('chromium');
  const apt = () => {
    throw new Error('apt-get must not be called');
  };
  expect(ensure({ apt }).kind).toBe('chrome');
  expect(said).toEqual([]);
});

test('without one, and without the right to install, the error says what to install where', () => {
  const error = errorOf(() => ensure({ mayInstall: false }));
  expect(error?.code).toBe('browser_not_found');
  expect(error?.message).toBe('No Chrome or Chromium was found on this machine.');
  expect(error?.hint).toBe(
    [
      'Install one and run again:',
      '  Debian: apt-get install chromium-headless-shell',
      '  Ubuntu: install Google Chrome from its .deb (the chromium package there is a snap)',
      '  macOS: brew install --cask google-chrome',
      '  Windows: winget install Google.Chrome',
      'or set WAYMARK_BROWSER to the path of a Chrome or Chromium executable.',
    ].join('\n'),
  );
});

// Only root may install, and only where apt-get is.
describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('apt-get as root', () => {
  test('installs the headless shell, says so, and finds it', () => {
    const calls: string[] = [];
    const apt = (args: readonly string[]) => {
      calls.push(args.join(' '));
      if (args[0] === 'install') put('chromium-headless-shell');
      return { status: 0, output: '' };
    };
    expect(ensure({ apt }).kind).toBe('shell');
    expect(calls).toEqual([
      '--version',
      'update -qq',
      'install -y -qq --no-install-recommends chromium-headless-shell',
    ]);
    expect(said).toEqual([
      'installing chromium-headless-shell with apt-get (about half a minute) …',
      expect.stringMatching(/^installed chromium-headless-shell in \d+ s$/),
    ]);
  });

  test('installs the full browser when that is wanted', () => {
    const apt = (args: readonly string[]) => {
      if (args[0] === 'install') put(String(args.at(-1)));
      return { status: 0, output: '' };
    };
    expect(ensure({ apt, wanted: 'chrome' }).kind).toBe('chrome');
  });

  test('a failure quotes the output of apt-get', () => {
    const apt = (args: readonly string[]) =>
      args[0] === 'install'
        ? { status: 100, output: 'noise\nE: Unable to locate package\n' }
        : { status: 0, output: '' };
    expect(errorOf(() => ensure({ apt }))?.message).toBe(
      'No Chrome or Chromium was found on this machine. apt-get could not install chromium-headless-shell (exit code 100):\nE: Unable to locate package',
    );
  });

  test('a machine without apt-get is not asked twice', () => {
    const calls: string[] = [];
    const apt = (args: readonly string[]) => {
      calls.push(args.join(' '));
      return { status: null, output: '' };
    };
    expect(errorOf(() => ensure({ apt }))?.code).toBe('browser_not_found');
    expect(calls).toEqual(['--version']);
  });
});
