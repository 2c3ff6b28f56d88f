import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachServer } from '../../src/tools/profiles/attach-server.ts';
import { findProgram } from '../../src/tools/profiles/find-package.ts';
import { profileOf } from '../../src/tools/profiles/profile-of.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';
import { Stage } from './support/run-scenario.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

test('a server is kept from slot to slot, in either order of letting go, and replaced when it has died', async () => {
  let slot = await lab.slot();
  // Also where an expectation fails: the tests after this one need both slots.
  await using _released = { [Symbol.asyncDispose]: () => slot.release() };
  await using server = await attachServer(profileOf('playwright'), slot);
  const { pid } = server.client;
  const go = async (page: string) => {
    const { isError, text } = await server.client.call('browser_navigate', { url: `${lab.server.origin}${page}` });
    expect(isError, text).toBe(false);
    expect((await server.witness.observe()).url).toBe(`${lab.server.origin}${page}`);
    expect(server.witness).toBe(slot.witness);
  };
  await go('/small');
  for (const order of ['let go first', 'released first']) {
    if (order === 'let go first') await server.letGo();
    await slot.release();
    slot = await lab.slot();
    await server.retarget(slot);
    await go('/form');
    expect(server.client.pid).toBe(pid);
  }
  process.kill(Number(pid), 'SIGKILL');
  await server.client.lost;
  await server.retarget(slot);
  await go('/list');
  expect(server.client.pid).not.toBe(pid);
  await slot.release();
});

test('a fresh server an episode, and the embedded one, have a new client each time', async () => {
  await using one = await lab.slot();
  await using two = await lab.slot();
  for (const [server, fresh] of [
    ['chrome-devtools', true],
    ['embedded', false],
  ] as const) {
    await using attached = await attachServer(profileOf(server), one, { fresh });
    const before = attached.client;
    await attached.retarget(two);
    expect(attached.client).not.toBe(before);
    expect(attached.client.pid === undefined || attached.client.pid !== before.pid).toBe(true);
    expect(attached.isolation).toBe('context');
    const stage = new Stage(attached, two, lab.server.origin);
    await stage.must({ action: 'navigate', url: `${lab.server.origin}/small` });
    expect((await two.witness.observe()).title).toBe('Small page');
  }
});

test('what the gate refuses has its kind', async () => {
  await using slot = await lab.slot();
  await using server = await attachServer(profileOf('playwright'), slot, {
    guard: (method) => (method === 'Page.navigate' ? 'not in this test' : undefined),
  });
  expect(await server.client.call('browser_navigate', { url: lab.server.origin })).toMatchObject({
    isError: true,
    errorKind: 'gate_refused',
  });
  expect(server.gate?.refused).toEqual([{ method: 'Page.navigate', reason: 'not in this test' }]);
});

test('a custom server gets its browser by a port, and is driven in the dialect that it names', async () => {
  await using slot = await lab.slot();
  const profile = profileOf({
    server: 'custom',
    name: 'mine',
    command: [process.execPath, findProgram('chrome-devtools-mcp'), '--browserUrl', 'http://127.0.0.1:{cdpPort}'],
    env: { CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS: '1', CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' },
    attach: 'gate',
    navigate: { tool: 'navigate_page' },
    observe: ['take_snapshot', 'list_pages'],
    dialect: 'chrome-devtools',
  });
  await using server = await attachServer(profile, slot);
  const stage = new Stage(server, slot, lab.server.origin);
  await stage.must({ action: 'navigate', url: `${lab.server.origin}/form` });
  await stage.must({ action: 'type', target: { role: 'textbox', name: 'Name' }, text: 'Ada' });
  expect((await slot.witness.observe()).title).toBe('Form');
  expect(profile.observes('list_pages', {})).toBe(true);
  // Without --experimentalVision it has no tool for it, and says so.
  expect(await stage.do({ action: 'click', target: { at: [10, 10] } })).toMatchObject({
    end: {
      status: 'unsupported',
      sentence: 'chrome-devtools-mcp has a tool for coordinates only with --experimentalVision.',
    },
  });
});

test('a server with a browser of its own is watched there, and its isolation is its own', async () => {
  await using browser = await startRemoteBrowser();
  await using slot = await lab.slot();
  const profile = profileOf({
    server: 'custom',
    command: [process.execPath, path.join(import.meta.dirname, 'support/faulty-server.ts')],
    attach: 'own',
    cdpAddress: browser.wsAddress,
    navigate: { tool: 'navigate' },
    observe: ['echo'],
  });
  {
    await using server = await attachServer(profile, slot);
    expect(server.isolation).toBe('server');
    expect(server.gate).toBeUndefined();
    expect(server.witness).not.toBe(slot.witness);
    expect(server.browser).not.toBe(slot.host.browser);
    expect(await server.witness.observe()).toMatchObject({ state: 'ok', url: 'about:blank' });
    await server.witness.page?.session.send('Page.navigate', { url: 'data:text/html,<title>Its own</title>' });
    await until(async () => (await server.witness.observe()).title === 'Its own', 'the page to be seen');
  }
  expect(browser.isAlive()).toBe(true);
});
