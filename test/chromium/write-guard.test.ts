/** The guard of side effects in real runs: what a page tries to change on a public host is not sent, whichever tool server drives it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scripted } from '../../src/agents/index.ts';
import type { TaskInput } from '../../src/cases/index.ts';
import { Browser, findBrowser } from '../../src/chromium/index.ts';
import { listen } from '../../src/net/index.ts';
import { readReport, writeReports } from '../../src/runs/index.ts';
import { profileOf } from '../../src/tools/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { runTasks } from '../support/run-tasks.ts';

const PAGE = `<!doctype html><title>Shop</title>
<button id="fetch">fetch</button> <button id="beacon">beacon</button> <button id="worker">worker</button>
<button id="socket">socket</button> <button id="own">own</button>
<form method="post" action="http://other.waymark-demo.com/form"><button id="form">form</button></form><p id="said"></p>
<script>
const say = (text) => { document.getElementById('said').textContent += text + '; ' };
const on = (id, work) => document.getElementById(id).addEventListener('click', work);
const post = (url) => fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' }).then(() => 'sent', () => 'refused');
on('fetch', async () => say('fetch ' + await post('http://other.waymark-demo.com/fetch')));
on('own', async () => say('own ' + await post('/own')));
on('beacon', () => { navigator.sendBeacon('http://other.waymark-demo.com/beacon', 'x'); say('beacon tried') });
on('worker', () => {
  const code = 'fetch("http://other.waymark-demo.com/worker", { method: "POST", mode: "no-cors" }).then(() => "sent", () => "refused").then(postMessage)';
  new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => say('worker ' + data);
});
on('socket', () => {
  const socket = new WebSocket('ws://other.waymark-demo.com/socket');
  socket.onopen = () => say('socket sent');
  socket.onerror = () => say('socket refused');
});
</script>`;

let lab: Lab;
let close: () => Promise<void>;
/** Everything that arrived and was no GET of a page, over both hosts. */
const arrived: string[] = [];

beforeAll(async () => {
  const site = createServer((request, response) => {
    if (request.method !== 'GET') arrived.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? PAGE : '');
  });
  site.on('upgrade', (request, socket) => {
    arrived.push(`socket ${request.headers.host}`);
    socket.destroy();
  });
  const port = await listen(site, '127.0.0.1', 0);
  close = async () => {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  };
  const browser = findBrowser();
  if (!browser) throw new Error('No browser.');
  const resolverRules = `MAP *.waymark-demo.com 127.0.0.1:${port}`;
  lab = await openLab({ slots: 1, pool: { start: () => Browser.launch({ browser, resolverRules }) } });
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await close();
});

const click = (id: string) => ({ action: { action: 'click', target: { selector: `#${id}` } } }) as const;
const wait = (text: string) => ({ action: { action: 'wait', text } }) as const;
const WAYS = ['fetch', 'beacon', 'worker', 'socket', 'form'];
const tried = (way: string, host = 'other'): TaskInput['success'] => ({
  kind: 'network',
  url_pattern: `${host}\\.waymark-demo\\.com/${way}$`,
  status_in: ['blocked'],
  since: 'contract_enter',
});

const task: TaskInput = {
  id: 'public-shop',
  title: 'Change something elsewhere',
  startUrl: 'http://shop.waymark-demo.com/',
  goal: 'Press everything.',
  network: { mode: 'live', allowWrites: ['shop.waymark-demo.com'] },
  success: { kind: 'and', children: WAYS.map((way) => tried(way)) },
  graders: [
    {
      grader: 'network',
      expect: [{ url: 'http://other.waymark-demo.com/fetch', method: 'POST', status: 'none' }],
    },
  ],
};

test.each(['embedded', 'playwright'])(
  'fetch, beacon, worker, WebSocket and form are blocked, stored and seen by the contract: %s',
  async (server) => {
    arrived.length = 0;
    const moves = [
      ...[click('own'), wait('own sent'), click('fetch'), wait('fetch refused'), click('beacon'), wait('beacon tried')],
      ...[click('worker'), wait('worker refused'), click('socket'), wait('socket refused'), click('form')],
    ];
    const transcript = { format: 'waymark.transcript.v1' as const, task: task.id, moves };
    using run = await runTasks(lab, [task], scripted({ transcript, profile: profileOf(server) }), { server });
    const [result] = await run.execute();
    expect([result?.status, result?.reason]).toEqual(['passed', expect.stringMatching(/^The contract passed/)]);
    // The host that the task names was written to; the other was not reached by anything but pages.
    expect(arrived).toEqual(['POST shop.waymark-demo.com /own']);
    const { count, requests = [] } = result?.blockedRequests ?? {};
    expect(requests.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'GET ws://other.waymark-demo.com/socket',
      'POST http://other.waymark-demo.com/beacon',
      'POST http://other.waymark-demo.com/fetch',
      'POST http://other.waymark-demo.com/form',
      'POST http://other.waymark-demo.com/worker',
    ]);
    expect(count).toBe(5);
    await writeReports(run.folder);
    const [episode] = readReport(run.folder).episodes;
    expect(episode?.grades).toMatchObject([{ grader: 'network', verdict: 'pass' }]);
    const text = readFileSync(path.join(run.folder, 'report.md'), 'utf8');
    expect(text).toContain('## Blocked requests');
    expect(text).toContain('POST http://other.waymark-demo.com/worker');
    expect(readFileSync(path.join(run.folder, 'report.html'), 'utf8')).toContain('5 blocked');
  },
  120_000,
);

test('without a list, the site of the start page is protected too', async () => {
  arrived.length = 0;
  const { network: _network, graders: _graders, ...plain } = task;
  const moves = [click('own'), wait('own refused')];
  const agent = scripted({
    transcript: { format: 'waymark.transcript.v1', task: task.id, moves },
    profile: profileOf('embedded'),
  });
  using run = await runTasks(lab, [{ ...plain, success: tried('own', 'shop') }], agent);
  const [result] = await run.execute();
  expect([result?.status, arrived]).toEqual(['passed', []]);
}, 60_000);
