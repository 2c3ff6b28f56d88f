import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { behindGate, type Info, infoOf, NO_TARGET, openGateLab, otherSlot, targetsOf } from '../support/gate-lab.ts';
import { evaluate, type Lab, show, until } from '../support/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openGateLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('foreign targets', () => {
  test('are in no list, with any filter', async () => {
    await using ours = await behindGate(lab);
    await using theirs = await otherSlot(lab);
    const session = await ours.attach();
    for (const sessionId of [undefined, session]) {
      const infos = await targetsOf(ours.client, sessionId);
      expect(infos.map(({ type }) => type).sort()).toEqual(['page', 'tab']);
      expect(new Set(infos.map(({ browserContextId }) => browserContextId))).toEqual(new Set([ours.slot.contextId]));
    }
    expect(theirs.host).toBe(ours.slot.host);
    expect(await ours.client.send('Target.getBrowserContexts')).toEqual({
      browserContextIds: [],
      defaultBrowserContextId: ours.slot.contextId,
    });
  });

  test('are not announced, not when they come, move or go, and not in a page’s session either', async () => {
    await using ours = await behindGate(lab);
    const session = await ours.attach();
    for (const sessionId of [undefined, session]) {
      await ours.client.send('Target.setDiscoverTargets', { discover: true, filter: [{}] }, sessionId);
    }
    {
      await using theirs = await otherSlot(lab);
      await show(theirs, `${lab.server.origin}/list`);
    }
    // Something of ours, to know that all events before it have come.
    const { targetId } = await ours.client.send('Target.createTarget', { url: `${lab.server.origin}/network` });
    await ours.client.event('Target.targetInfoChanged', ({ targetInfo }) =>
      (targetInfo as Info).url.endsWith('/network'),
    );
    await ours.client.send('Target.closeTarget', { targetId });
    await ours.client.event('Target.targetDestroyed', (params) => params['targetId'] === targetId);
    const text = JSON.stringify(ours.client.events);
    expect(text).not.toContain('/form');
    expect(text).not.toContain('/list');
    // The browser itself has no context.
    const infos = ours.client.events.flatMap(({ params }) => (params?.['targetInfo'] as Info | undefined) ?? []);
    const contexts = infos.filter(({ type }) => type !== 'browser').map(({ browserContextId }) => browserContextId);
    expect(new Set(contexts)).toEqual(new Set([ours.slot.contextId]));
    const gone = ours.client.events.filter(({ method }) => method === 'Target.targetDestroyed');
    expect(gone.some(({ params }) => params?.['targetId'] === targetId)).toBe(true);
  });

  test('can’t be attached to, closed, brought to front or asked about', async () => {
    await using ours = await behindGate(lab);
    await using theirs = await otherSlot(lab);
    const { targetId } = theirs.firstPage;
    const session = await ours.attach();
    for (const sessionId of [undefined, session]) {
      for (const method of [
        'Target.attachToTarget',
        'Target.closeTarget',
        'Target.activateTarget',
        'Target.getTargetInfo',
        'Browser.getWindowForTarget',
      ]) {
        const { error } = await ours.client.ask(method, { targetId, flatten: true }, sessionId);
        expect(error, method).toEqual(NO_TARGET);
      }
    }
    expect((await theirs.witness.observe()).url).toBe(`${lab.server.origin}/form`);
  });

  test('opened while the client attaches to everything and holds it, run on at once and unseen', async () => {
    await using ours = await behindGate(lab);
    const hold = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    for (const filter of [undefined, [{ type: 'page' }], [{ type: 'tab' }], [{ type: 'page', exclude: true }, {}]]) {
      await ours.client.send('Target.setAutoAttach', { ...hold, ...(filter ? { filter } : {}) });
      await using theirs = await otherSlot(lab);
      expect(await evaluate(theirs, `document.querySelector('h1').textContent`)).toBe('Sign up');
      // Also what they open by themselves.
      await evaluate(theirs, `window.open('/popup/window', '_blank', 'width=300,height=300') && 1`);
      await until(() => theirs.witness.pages.some(({ url }) => url.endsWith('/popup/window')), 'their popup to load');
      const popup = theirs.witness.pages.find(({ url }) => url.endsWith('/popup/window'));
      await popup?.ready;
      const { result } = (await popup?.session.send('Runtime.evaluate', { expression: '1 + 1' })) ?? {};
      expect(result?.value).toBe(2);
    }
    const attached = ours.client.events.filter(({ method }) => method === 'Target.attachedToTarget');
    expect(attached.length).toBeGreaterThan(0);
    for (const event of attached) expect(infoOf(event).browserContextId).toBe(ours.slot.contextId);
  });
});

describe('foreign sessions', () => {
  test('of the harness, of another client, and made-up ones are refused', async () => {
    await using ours = await behindGate(lab);
    await using theirs = await behindGate(lab);
    const their = await theirs.attach();
    for (const sessionId of [their, ours.slot.firstPage.session.id, theirs.slot.firstPage.session.id, 'F00', '']) {
      for (const method of ['Runtime.evaluate', 'Browser.getVersion', 'Page.navigate']) {
        const { error } = await ours.client.ask(method, { expression: '1', url: 'about:blank' }, sessionId);
        expect(error, `${method} in ${sessionId}`).toEqual({
          code: -32001,
          message: 'Session with given id not found.',
        });
      }
      const { error } = await ours.client.ask('Target.detachFromTarget', { sessionId });
      expect(error).toEqual({ code: -32602, message: 'No session with given id' });
    }
    expect(await theirs.client.evaluate(their, 'location.pathname')).toBe('/small');
  });

  test('no session travels inside other messages, where the rules could not see it', async () => {
    await using ours = await behindGate(lab);
    const session = await ours.attach();
    const message = 'Only flattened sessions pass the gate: set "flatten": true';
    for (const sessionId of [undefined, session]) {
      const attach = await ours.client.ask('Target.attachToTarget', { targetId: ours.pageId }, sessionId);
      expect(attach.error).toEqual({ code: -32000, message });
      const auto = { autoAttach: true, waitForDebuggerOnStart: false };
      expect((await ours.client.ask('Target.setAutoAttach', auto, sessionId)).error).toEqual({ code: -32000, message });
    }
  });
});

describe('two clients at once on one browser', () => {
  test('never see each other, whatever both do', async () => {
    await using one = await behindGate(lab);
    await using two = await behindGate(lab);
    expect(one.slot.host).toBe(two.slot.host);
    const both = [one, two];
    await Promise.all(
      both.map(async ({ client, slot }, n) => {
        await client.send('Target.setDiscoverTargets', { discover: true });
        await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
        client.socket.on('message', (data) => {
          const message = JSON.parse(String(data)) as { method?: string; params?: { sessionId?: string } };
          if (message.method !== 'Target.attachedToTarget') return;
          const { sessionId } = message.params ?? {};
          client.socket.send(JSON.stringify({ id: 1_000_000, method: 'Runtime.runIfWaitingForDebugger', sessionId }));
        });
        for (let i = 0; i < 5; i++) {
          const { targetId } = await client.send('Target.createTarget', { url: `${lab.server.origin}/nodes?n=6${n}` });
          const session = await client.attach(String(targetId));
          await until(async () => (await client.evaluate(session, 'document.title')) === `6${n} elements`, 'its page');
          await client.send('Target.closeTarget', { targetId });
        }
        const seen = client.events.flatMap(({ params }) =>
          params?.['targetInfo'] ? [params['targetInfo'] as Info] : [],
        );
        expect(new Set(seen.map(({ browserContextId }) => browserContextId))).toEqual(new Set([slot.contextId]));
      }),
    );
  });
});
