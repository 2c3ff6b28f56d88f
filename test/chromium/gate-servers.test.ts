import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachServer, profileOf } from '../../src/tools/index.ts';
import { type Lab, openLab, until } from '../support/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 3 });
});
afterAll(() => lab[Symbol.asyncDispose]());

test('two real servers on one browser see only their own tabs, and the witness sees what each does', async () => {
  await using one = await lab.slot();
  await using two = await lab.slot();
  expect(one.host).toBe(two.host);
  await using playwright = await attachServer(profileOf('playwright'), one);
  await using devtools = await attachServer(profileOf('chrome-devtools'), two);

  await playwright.client.call('browser_navigate', { url: `${lab.server.origin}/small` });
  await devtools.client.call('navigate_page', { url: `${lab.server.origin}/form`, pageId: 1 });
  expect(await one.witness.observe()).toMatchObject({ title: 'Small page', url: `${lab.server.origin}/small` });
  expect(await two.witness.observe()).toMatchObject({ title: 'Form', url: `${lab.server.origin}/form` });

  // A tab that a server opens lands in its own context, and is "the" page from the first action in it.
  await playwright.client.call('browser_tabs', { action: 'new', url: `${lab.server.origin}/popup` });
  expect(await one.witness.observe()).toMatchObject({ url: `${lab.server.origin}/popup` });
  expect(one.witness.pages).toHaveLength(2);
  const { text: theirs } = await devtools.client.call('list_pages');
  expect(theirs).toContain('/form');
  expect(theirs).not.toContain('/small');
  expect(theirs).not.toContain('/popup');

  // A popup stays inside as well.
  const { text: snapshot } = await playwright.client.call('browser_snapshot');
  const ref = /Open[^\n]*\[ref=(\w+)\]/i.exec(snapshot)?.[1] ?? '';
  await playwright.client.call('browser_click', { target: ref, element: 'the button that opens a window' });
  await until(() => one.witness.popups.total === 1, 'the popup');
  expect((await devtools.client.call('list_pages')).text).not.toContain('/popup');
  expect(two.witness.pages).toHaveLength(1);

  // The record of what it did.
  expect(playwright.gate?.methods.get('Page.navigate')).toBeGreaterThanOrEqual(1);
  expect(playwright.gate?.refused).toEqual([]);
  expect(devtools.gate?.refused).toEqual([]);

  // A context that a server makes belongs to its episode.
  await devtools.client.call('new_page', { url: `${lab.server.origin}/list`, isolatedContext: 'another' });
  expect(two.witness.contexts.size).toBe(2);
  expect(two.witness.pages.map(({ url }) => url)).toContain(`${lab.server.origin}/list`);
  expect(devtools.gate?.refused).toEqual([]);
});

test('a server is kept while its address is pointed at the next context, three times over', async () => {
  const first = await lab.slot();
  await using playwright = await attachServer(profileOf('playwright'), first);
  await using second = await lab.slot();
  await using devtools = await attachServer(profileOf('chrome-devtools'), second);
  await playwright.client.call('browser_navigate', { url: `${lab.server.origin}/storage?dirty=1` });
  let last = first;
  for (const page of ['small', 'form', 'list']) {
    await playwright.client.call('browser_close');
    await last.release();
    const next = await lab.slot();
    await Promise.all([playwright.retarget(next), devtools.retarget(next)]);
    const { isError, text } = await playwright.client.call('browser_navigate', { url: `${lab.server.origin}/${page}` });
    expect(isError, text).toBe(false);
    expect((await next.witness.observe()).url).toBe(`${lab.server.origin}/${page}`);
    expect((await devtools.client.call('list_pages')).text).toContain(`/${page}`);
    expect(next.witness.pages).toHaveLength(1);
    last = next;
  }
  await last.release();
});

test('a server that closes, exits or is killed leaves the browser and the pages to the harness', async () => {
  await using slot = await lab.slot();
  {
    await using playwright = await attachServer(profileOf('playwright'), slot);
    await playwright.client.call('browser_navigate', { url: `${lab.server.origin}/small` });
    await playwright.client.call('browser_close');
  }
  const look = await slot.witness.observe();
  expect(look.state === 'ok' || look.state === 'gone').toBe(true);
  expect(slot.host.isAlive).toBe(true);
  await using other = await lab.slot();
  expect((await other.witness.observe()).state).toBe('ok');
});

test("dialogs are the server's to answer, while the witness only looks", async () => {
  await using slot = await lab.slot();
  await using playwright = await attachServer(profileOf('playwright'), slot);
  await playwright.client.call('browser_navigate', { url: `${lab.server.origin}/dialogs` });
  const { text: snapshot } = await playwright.client.call('browser_snapshot');
  const ref = /"[^"]*confirm[^"]*"[^\n]*\[ref=(\w+)\]/i.exec(snapshot)?.[1] ?? '';
  const { text } = await playwright.client.call('browser_click', { target: ref, element: 'confirm' });
  expect(text).toMatch(/modal state|dialog/i);
  expect(await slot.witness.observe()).toMatchObject({ state: 'dialog', dialogOpen: true });
  await playwright.client.call('browser_handle_dialog', { accept: true });
  await until(() => slot.witness.dialogs.entries[0]?.accepted === true, 'the dialog to be accepted');
  expect((await slot.witness.observe()).state).toBe('ok');
});

test('downloads that a server causes are seen', async () => {
  await using slot = await lab.slot();
  await using playwright = await attachServer(profileOf('playwright'), slot);
  await playwright.client.call('browser_navigate', { url: `${lab.server.origin}/download` });
  const { text: snapshot } = await playwright.client.call('browser_snapshot');
  const ref = /"Download report\.csv"[^\n]*\[ref=(\w+)\]/.exec(snapshot)?.[1] ?? '';
  await playwright.client.call('browser_click', { target: ref, element: 'link' });
  await until(() => slot.witness.downloads.entries[0]?.state === 'completed', 'the download');
  expect(slot.witness.downloads.entries[0]).toMatchObject({ suggestedFilename: 'report.csv' });
});
