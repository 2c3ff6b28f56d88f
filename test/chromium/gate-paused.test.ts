/** Targets that a server of the gate has paused: they start when the server says so, as they would without the harness. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { behindGate, infoOf, openGateLab, targetsOf } from '../support/gate-lab.ts';
import { type Lab, until } from '../support/lab.ts';
import type { RawClient, RawMessage } from '../support/raw-client.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openGateLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Answers of the server and of the browser, in which a target that runs would have gone on. Its opener shares its process, and is paused with it. */
async function letOthersWork(client: RawClient): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await (await fetch(`http://127.0.0.1:${lab.server.port}/small`)).text();
    await client.send('Target.getTargets');
  }
}

const paused = (client: RawClient): Promise<RawMessage> =>
  client.event('Target.attachedToTarget', ({ waitingForDebugger }) => waitingForDebugger === true);

test('a popup loads nothing before the server has resumed it', async () => {
  await using ours = await behindGate(lab);
  const { client } = ours;
  const page = await ours.attach();
  await client.send('Target.setAutoAttach', AUTO_ATTACH);
  const called = client.evaluate(page, "void open('/form')");
  const opened = await paused(client);
  const { targetId } = infoOf(opened);
  const urlOf = async () => (await targetsOf(client)).find((each) => each.targetId === targetId)?.url;
  await letOthersWork(client);
  expect(await urlOf()).not.toContain('/form');
  await client.send('Runtime.runIfWaitingForDebugger', {}, String(opened.params?.['sessionId']));
  await until(async () => (await urlOf())?.endsWith('/form') === true, 'the popup to load');
  await called;
});

test('nor does a worker run', async () => {
  await using ours = await behindGate(lab);
  const { client } = ours;
  const page = await ours.attach();
  await client.send('Target.setAutoAttach', AUTO_ATTACH, page);
  const script = `URL.createObjectURL(new Blob(['postMessage(1)']))`;
  await client.evaluate(page, `globalThis.said = 0; void (new Worker(${script}).onmessage = () => said++)`);
  const worker = await paused(client);
  const said = () => client.evaluate<number>(page, 'said');
  await letOthersWork(client);
  expect(await said()).toBe(0);
  await client.send('Runtime.runIfWaitingForDebugger', {}, String(worker.params?.['sessionId']));
  await until(async () => (await said()) === 1, 'the worker to speak');
});

test.for(['leaves', 'detaches'])('a server that %s holds nothing back', async (how) => {
  await using ours = await behindGate(lab);
  const { client } = ours;
  const page = await ours.attach();
  await client.send('Target.setAutoAttach', AUTO_ATTACH);
  // Where the server has left, it gets no answer.
  client.evaluate(page, "void open('/form')").catch(() => {});
  const { params = {} } = await paused(client);
  if (how === 'leaves') await client.close();
  else await client.send('Target.detachFromTarget', { sessionId: params['sessionId'] });
  await until(() => ours.slot.witness.pages.some(({ url }) => url.endsWith('/form')), 'the popup to load');
});
