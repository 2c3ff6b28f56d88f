import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { behindGate, infoOf, NO_CONTEXT, openGateLab, otherSlot, targetsOf } from '../support/gate-lab.ts';
import { evaluate, type Lab, until } from '../support/lab.ts';
import { RawClient } from '../support/raw-client.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openGateLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

async function contextsOf({ slot }: { slot: Awaited<ReturnType<Lab['slot']>> }): Promise<string[]> {
  const { root } = slot.host.browser.connection;
  return (await root.send('Target.getBrowserContexts')).browserContextIds;
}

describe('contexts that a server makes', () => {
  test('they belong to the episode: the server, its witness and the proof see them, and they end with the slot', async () => {
    const ours = await behindGate(lab, { onDrive: (targetId) => ours.slot.witness.use(targetId) });
    const { client, slot } = ours;
    await using other = await otherSlot(lab);
    await evaluate(slot, `document.cookie = 'where=first'`);
    const { browserContextId } = await client.send('Target.createBrowserContext');
    const made = String(browserContextId);
    expect(made).not.toBe(slot.contextId);
    expect(await client.send('Target.getBrowserContexts')).toEqual({
      browserContextIds: [made],
      defaultBrowserContextId: slot.contextId,
    });
    const url = `${lab.server.origin}/small`;
    const { targetId } = await client.send('Target.createTarget', { url: 'about:blank', browserContextId: made });
    const session = await client.attach(String(targetId));
    await client.send('Page.enable', {}, session);
    await client.send('Page.navigate', { url }, session);
    await client.event('Page.loadEventFired');

    // The context is a real one: it does not share the cookies of the first.
    expect(await client.evaluate(session, 'document.cookie')).toBe('');
    await client.evaluate(session, `document.cookie = 'where=made'`);
    const inMade = await client.send('Storage.getCookies', {}, session);
    expect(inMade).toMatchObject({ cookies: [{ name: 'where', value: 'made' }] });
    expect(await client.send('Storage.getCookies')).toMatchObject({ cookies: [{ name: 'where', value: 'first' }] });

    // The witness takes the page that was driven last, whichever context it is in.
    expect(await slot.witness.observe()).toMatchObject({ url, targetId });
    const { findings } = await slot.prove();
    expect(findings).toContain('2 tabs instead of one');
    expect(findings.find((finding) => finding.startsWith('cookies'))?.match(/where/g)).toHaveLength(2);
    expect(other.witness.pages).toHaveLength(1);

    // A context of another episode can't be used.
    const { error } = await client.ask('Target.createTarget', { url, browserContextId: other.contextId });
    expect(error).toEqual(NO_CONTEXT);

    await ours[Symbol.asyncDispose]();
    const left = await contextsOf({ slot: other });
    expect(left).not.toContain(made);
    expect(left).not.toContain(slot.contextId);
  });

  test('one that asks for it ends with its connection, and one that is disposed of is gone at once', async () => {
    await using ours = await behindGate(lab);
    const { client } = ours;
    const make = async (params = {}) =>
      String((await client.send('Target.createBrowserContext', params))['browserContextId']);
    const [kept, bound, dropped] = [await make(), await make({ disposeOnDetach: true }), await make()];
    await client.send('Target.disposeBrowserContext', { browserContextId: dropped });
    expect(await contextsOf(ours)).toEqual(expect.arrayContaining([kept, bound]));
    expect(await contextsOf(ours)).not.toContain(dropped);
    expect((await client.ask('Target.disposeBrowserContext', { browserContextId: dropped })).error).toEqual(NO_CONTEXT);
    expect((await client.ask('Target.disposeBrowserContext', { browserContextId: ours.slot.contextId })).error).toEqual(
      NO_CONTEXT,
    );
    await client.close();
    await until(async () => !(await contextsOf(ours)).includes(bound), 'the context to be disposed of');
    // As in a browser, the other one is still there for the next connection.
    await using next = await RawClient.connect(ours.gate.wsAddress);
    expect(await next.send('Target.getBrowserContexts')).toMatchObject({ browserContextIds: [kept] });
  });
});

describe('the target of the browser', () => {
  test('it is listed where it is asked for, and a session of it is checked like the first one', async () => {
    await using ours = await behindGate(lab);
    await using other = await otherSlot(lab);
    const { client } = ours;
    await client.send('Target.setDiscoverTargets', { discover: true, filter: [{}] });
    const created = await client.event(
      'Target.targetCreated',
      (params) => (params['targetInfo'] as { type: string }).type === 'browser',
    );
    const { targetId } = infoOf(created);
    expect(await client.send('Target.getTargetInfo', { targetId })).toMatchObject({ targetInfo: { type: 'browser' } });
    const browsers = client.events.filter((event) => event.params?.['targetInfo'] && infoOf(event).type === 'browser');
    // The clients of other gates have such targets too.
    expect(new Set(browsers.map((event) => infoOf(event).targetId))).toEqual(new Set([targetId]));
    const sessions = [
      await client.attach(targetId),
      String((await client.send('Target.attachToBrowserTarget'))['sessionId']),
    ];
    for (const session of sessions) {
      const infos = await targetsOf(client, session);
      expect(infos.map((info) => info.targetId)).toContain(ours.pageId);
      expect(infos.map((info) => info.targetId)).not.toContain(other.firstPage.targetId);
      expect((await client.ask('SystemInfo.getProcessInfo', {}, session)).error).toMatchObject({ code: -32601 });
      expect((await client.ask('Runtime.evaluate', { expression: '1' }, session)).error).toMatchObject({
        code: -32601,
      });
      // Its events come under its own session id, and are those of this context only.
      await client.send('Target.setDiscoverTargets', { discover: true }, session);
      const first = await client.event('Target.targetCreated', (_, sessionId) => sessionId === session);
      expect(infoOf(first).browserContextId).toBe(ours.slot.contextId);
    }
    expect((await client.ask('Target.closeTarget', { targetId })).error).toMatchObject({ code: -32602 });
  });
});

describe('the pages by HTTP, and a socket for each', () => {
  test('pages are listed, opened, activated and closed, and a socket leads to one page alone', async () => {
    const driven: string[] = [];
    await using ours = await behindGate(lab, { onDrive: (targetId) => driven.push(targetId) });
    await using other = await otherSlot(lab);
    const { gate, pageId } = ours;
    const at = async <T>(path: string, init?: RequestInit): Promise<T> =>
      (await (await fetch(gate.httpAddress + path, init)).json()) as T;
    type Entry = { id: string; type: string; url: string; webSocketDebuggerUrl: string };
    const list = await at<Entry[]>('json/list');
    expect(list).toMatchObject([{ id: pageId, type: 'page', title: 'Small page', url: `${lab.server.origin}/small` }]);
    expect(await at('json')).toEqual(list);
    expect(list.map(({ id }) => id)).not.toContain(other.firstPage.targetId);

    await using page = await RawClient.connect(list[0]?.webSocketDebuggerUrl ?? '');
    await page.send('Page.enable');
    expect(await page.send('Runtime.evaluate', { expression: 'document.title', returnByValue: true })).toMatchObject({
      result: { value: 'Small page' },
    });
    await page.send('Page.navigate', { url: `${lab.server.origin}/form` });
    expect(await page.event('Page.loadEventFired')).not.toHaveProperty('sessionId');
    expect(driven).toEqual([pageId]);
    expect((await page.ask('SystemInfo.getInfo')).error).toMatchObject({ code: -32601 });
    // The client of the browser is still connected beside it.
    expect(await ours.client.send('Browser.getVersion')).toHaveProperty('product');

    const opened = await at<Entry>(`json/new?${encodeURIComponent(`${lab.server.origin}/list`)}`, { method: 'PUT' });
    expect((await fetch(`${gate.httpAddress}json/new?about:blank`)).status).toBe(405);
    expect((await fetch(`${gate.httpAddress}json/new?file:///etc/passwd`, { method: 'PUT' })).status).toBe(404);
    await fetch(`${gate.httpAddress}json/activate/${opened.id}`);
    expect(driven).toEqual([pageId, opened.id]);
    await using second = await RawClient.connect(opened.webSocketDebuggerUrl);
    await second.send('Runtime.enable');
    expect(await (await fetch(`${gate.httpAddress}json/close/${opened.id}`)).text()).toBe('Target is closing');
    expect((await second.closed).reason).toBe('the page is gone');
    expect((await fetch(`${gate.httpAddress}json/close/${other.firstPage.targetId}`)).status).toBe(404);

    const foreign = list[0]?.webSocketDebuggerUrl.replace(pageId, other.firstPage.targetId) ?? '';
    await using refused = await RawClient.connect(foreign);
    expect((await refused.closed).reason).toBe('no such page');
    const { domains } = await at<{ domains: { domain: string }[] }>('json/protocol');
    expect(domains.map(({ domain }) => domain)).toEqual(expect.arrayContaining(['Page', 'Runtime']));
  });
});
