import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer } from '../../fixtures/server.ts';
import { readRecording } from '../../src/chromium/index.ts';
import { waymark } from './command-line.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-record-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const record = (...args: string[]) => waymark(['record', ...args], folder);

test('a site is recorded, checked without a network, and a task runs on it after its server is gone', async () => {
  const file = path.join(folder, 'form.json');
  let origin: string;
  {
    await using site = await startFixtureServer();
    origin = site.address;
    const { code, out, err } = await record(`${origin}/form`, `${origin}/list`, '--out', 'form.json', '--json');
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      missing: [],
      pages: [
        { url: `${origin}/form`, finalUrl: `${origin}/form`, wasQuiet: true },
        { url: `${origin}/list`, finalUrl: `${origin}/list`, wasQuiet: true },
      ],
    });
  }
  const { entries } = readRecording(file);
  expect(entries.map(({ url }) => url)).toEqual(expect.arrayContaining([`${origin}/form`, `${origin}/list`]));
  const task = {
    id: 'offline',
    title: 'Offline',
    startUrl: `${origin}/form`,
    goal: 'See the form.',
    network: { mode: 'replay', recording: 'form.json' },
    oracle: 'oracle.json',
    success: { kind: 'dom_count', selector: '#name', op: 'eq', value: 1 },
  };
  writeFileSync(path.join(folder, 'offline.task.json'), JSON.stringify(task));
  const moves = [{ action: { action: 'read' } }];
  const transcript = { format: 'waymark.transcript.v1', task: 'offline', moves };
  writeFileSync(path.join(folder, 'oracle.json'), JSON.stringify(transcript));
  const run = await waymark(['run', path.join(folder, 'offline.task.json'), '--json'], folder);
  expect(run, run.err).toMatchObject({ code: 0 });
});

test('a page that asks for something else each time is told apart: it can’t be replayed', async () => {
  let count = 0;
  const server = createServer((request, response) => {
    if (request.url === '/') {
      count++;
      response.setHeader('content-type', 'text/html');
      response.end(
        `<title>Changing</title><img src="/picture-${'x'.repeat(count)}"><script>fetch('/data?' + Math.random())</script>`,
      );
    } else response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { code, out } = await record(address, '--out', 'changing.json', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      missing: [expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/data\?0\.\d+$/)],
    });
  } finally {
    server.close();
  }
});

test('bad input is refused with a sentence, and a recording that is there is not overwritten', async () => {
  expect(await record()).toMatchObject({
    code: 2,
    err: expect.stringContaining('Give the address of at least one page.'),
  });
  expect(await record('example.com')).toMatchObject({
    code: 2,
    err: expect.stringContaining('"example.com" is not the address of a page.'),
  });
  writeFileSync(path.join(folder, 'there.json'), 'mine');
  expect(await record('http://127.0.0.1:9/', '--out', 'there.json')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there.json exists already.'),
  });
  expect(readFileSync(path.join(folder, 'there.json'), 'utf8')).toBe('mine');
  const dead = await record('http://127.0.0.1:9/', '--out', 'dead.json');
  expect(dead.err).toContain('http://127.0.0.1:9/ could not be loaded: net::ERR_');
  expect(dead.code).toBe(3);
});
