import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, findBrowser, processesWith, reapOrphans, STATE_VARIABLE } from '../../src/chromium/index.ts';
import type { WaymarkError } from '../../src/errors/index.ts';
import { launch } from '../support/browser-host.ts';
import { until } from '../support/lab.ts';
import { groupOf, listeningPorts, startHarness } from '../support/processes.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';

let state: string;
beforeAll(() => {
  state = mkdtempSync(path.join(tmpdir(), 'waymark-launch-'));
  process.env[STATE_VARIABLE] = state;
});
afterAll(() => {
  delete process.env[STATE_VARIABLE];
  rmSync(state, { recursive: true, force: true });
});

const profiles = () => readdirSync(path.join(state, 'profiles'));
const ledger = () => readdirSync(path.join(state, 'ledger'));

/** An executable that is no browser. */
function program(name: string, ...lines: string[]): { path: string; kind: 'shell'; via: string } {
  const file = path.join(state, name);
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  return { path: file, kind: 'shell', via: 'a test' };
}

async function failureOf(promise: Promise<unknown>): Promise<WaymarkError> {
  return promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as WaymarkError,
  );
}

describe('a browser of ours', () => {
  test('has a profile and a ledger entry while it runs, and leaves neither, nor any process', async () => {
    const browser = await launch();
    const [name = ''] = profiles();
    expect(profiles()).toEqual([name]);
    expect(ledger()).toEqual([`${name}.json`]);
    const profile = path.join(state, 'profiles', name);
    expect(JSON.parse(readFileSync(path.join(state, 'ledger', `${name}.json`), 'utf8'))).toMatchObject({
      profile,
      owner: { pid: process.pid },
      browser: { pid: browser.pid },
    });
    expect(processesWith(profile).map(({ pid }) => pid)).toContain(browser.pid);
    expect(browser.identity).toMatchObject({
      product: expect.stringMatching(/Chrome\/\d+/),
      kind: findBrowser()?.kind,
    });

    const group = groupOf(browser.pid ?? 0);
    expect(group.length).toBeGreaterThan(1);
    await browser.close();
    await browser.close();
    expect([...profiles(), ...ledger()]).toEqual([]);
    await until(() => groupOf(browser.pid ?? 0).length === 0, 'its processes to be gone');
    expect(await browser.gone).toBe('closed by us');
  });

  test.skipIf(process.platform !== 'linux')('listens on no TCP port', async () => {
    // That the check can see a port is shown on a browser that has one.
    await using remote = await startRemoteBrowser();
    const port = Number(new URL(remote.wsAddress).port);
    await expect.poll(() => listeningPorts(groupOf(remote.pid))).toEqual([port]);
    await using browser = await launch();
    const { root } = browser.connection;
    await root.send('Target.createTarget', { url: 'about:blank' });
    expect(groupOf(browser.pid ?? 0).length).toBeGreaterThan(1);
    expect(listeningPorts(groupOf(browser.pid ?? 0))).toEqual([]);
  });

  test('that dies by itself is reported, and closing it removes what it left', async () => {
    const browser = await launch();
    process.kill(browser.pid ?? 0, 'SIGKILL');
    expect(await browser.gone).toBe('the browser closed its pipe');
    expect(ledger()).toHaveLength(1);
    await browser.close();
    expect([...profiles(), ...ledger()]).toEqual([]);
  });
});

describe('a browser that does not start', () => {
  test('says why in its own words, and leaves nothing', async () => {
    const browser = program('wordy', 'echo "Missing X server." >&2', 'exit 1');
    const failure = await failureOf(Browser.launch({ browser }));
    expect(failure).toMatchObject({
      code: 'browser_start_failed',
      message: `${browser.path} did not start: it ended with exit code 1.\nIt said: Missing X server.`,
      hint: 'Run it with --version to check it, or choose another browser with --browser or WAYMARK_BROWSER.',
    });
    expect([...profiles(), ...ledger()]).toEqual([]);
  });

  test('the last of many words is kept, not the first', async () => {
    const browser = program('babbler', 'for i in $(seq 1 5000); do echo "line $i" >&2; done', 'exit 1');
    const { message } = await failureOf(Browser.launch({ browser }));
    expect(message).toMatch(/line 4999\nline 5000$/);
    expect(message.length).toBeLessThan(5_000);
  });

  test('one that is not there, or is no program', async () => {
    const nowhere = { path: path.join(state, 'nowhere'), kind: 'shell' as const, via: 'a test' };
    expect(await failureOf(Browser.launch({ browser: nowhere }))).toMatchObject({
      code: 'browser_start_failed',
      message: `${nowhere.path} did not start: spawn ${nowhere.path} ENOENT`,
    });
    const text = path.join(state, 'text');
    writeFileSync(text, 'no program');
    expect(await failureOf(Browser.launch({ browser: { ...nowhere, path: text } }))).toMatchObject({
      message: `${text} did not start: spawn ${text} EACCES`,
    });
    expect([...profiles(), ...ledger()]).toEqual([]);
  });

  test('one that never answers is ended by the signal, with its children', async () => {
    const mark = `3${process.pid}.25`;
    const browser = program('mute', `sleep ${mark} &`, `sleep ${mark}`);
    const giveUp = new AbortController();
    const failing = failureOf(Browser.launch({ browser, signal: giveUp.signal }));
    await until(() => processesWith(`sleep ${mark}`).length === 2, 'both to run');
    giveUp.abort();
    expect(await failing).toMatchObject({
      code: 'browser_start_failed',
      message: `${browser.path} did not start: Browser.getVersion was aborted.`,
    });
    await until(() => processesWith(`sleep ${mark}`).length === 0, 'both to be gone');
    expect([...profiles(), ...ledger()]).toEqual([]);
  });
});

describe('when the harness ends', () => {
  test.each(['exit', 'throw'] as const)('by %s, its browsers end with it and nothing is left', async (how) => {
    const harness = await startHarness(how);
    expect((await harness.exited)[0]).toBe(how === 'exit' ? 0 : 1);
    for (const pid of harness.pids) await until(() => groupOf(pid).length === 0, 'its browser to be gone');
    expect([...profiles(), ...ledger()]).toEqual([]);
  });

  test('by SIGTERM, taken as the command line takes it: the same', async () => {
    const harness = await startHarness('sigterm');
    harness.kill('SIGTERM');
    expect(await harness.exited).toEqual([143, null]);
    for (const pid of harness.pids) await until(() => groupOf(pid).length === 0, 'its browser to be gone');
    expect([...profiles(), ...ledger()]).toEqual([]);
  });

  test('by a signal without a handler: the browser goes with its pipe, and the next start removes its profile', async () => {
    const harness = await startHarness('wait');
    harness.kill('SIGTERM');
    expect(await harness.exited).toEqual([null, 'SIGTERM']);
    for (const pid of harness.pids) await until(() => groupOf(pid).length === 0, 'its browser to end by itself');
    const [name = ''] = profiles();
    expect(reapOrphans()).toEqual([{ profile: path.join(state, 'profiles', name), pids: [] }]);
    expect([...profiles(), ...ledger()]).toEqual([]);
  });
});
