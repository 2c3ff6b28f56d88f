import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { completeItem, systemContext } from '../../src/models/index.ts';
import { assertPublicUrl } from '../../src/net/index.ts';

/** Two machines with the same port: the one that was checked, and the one that a second look-up would lead to. */
const asked: string[] = [];
async function listen(address: string, port: number) {
  const server = createServer((request, response) => {
    asked.push(`${address} ${request.headers.host?.replace(/:\d+$/, '')}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { content: `I am ${address}` } }] }));
  });
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}
const checked = await listen('127.0.0.2', 0);
const { port } = checked.address() as AddressInfo;
const victim = await listen('127.0.0.1', port);
afterAll(() => {
  for (const server of [checked, victim]) {
    server.closeAllConnections();
    server.close();
  }
});

/** A name whose owner answers differently every time. */
function changingName(...answers: string[]) {
  let looks = 0;
  const resolve = async () => [{ address: answers[Math.min(looks++, answers.length - 1)] ?? '', family: 4 }];
  const assertUrl = async (url: string) => (await assertPublicUrl(url, { resolve, allow: ['loopback'] })).addresses;
  const ask = () =>
    completeItem(
      { prompt_text: 'Who are you?', model: 'm' },
      { id: 'p', kind: 'openai-compatible', baseUrl: `http://judge.rebind.example:${port}/v1`, keyEnv: null },
      systemContext(new AbortController().signal, assertUrl, { attempts: 1 }),
    );
  return { ask, looks: () => looks };
}

test('a name that changes between check and connection leads to the address that was checked', async () => {
  const name = changingName('127.0.0.2', '127.0.0.1');
  expect(await name.ask()).toMatchObject({ status: 'answered', response: 'I am 127.0.0.2' });
  expect(name.looks()).toBe(1);
  // The name is still what the server is told, and what a certificate would be checked against.
  expect(asked).toEqual(['127.0.0.2 judge.rebind.example']);
});

test('a name that has become a forbidden address is not called at all', async () => {
  asked.length = 0;
  expect(await changingName('169.254.169.254').ask()).toMatchObject({
    status: 'error',
    error: {
      code: 'address_refused',
      message: 'judge.rebind.example (169.254.169.254) is a metadata address, and is not called from here.',
    },
  });
  expect(asked).toEqual([]);
});
