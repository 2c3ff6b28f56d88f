/** The table of docs/reference/outcomes.md: each cause is made to happen, and ends as the table says. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scripted } from '../../src/agents/scripted.ts';
import { type Move, TRANSCRIPT_FORMAT } from '../../src/agents/transcript.ts';
import type { TaskInput } from '../../src/cases/index.ts';
import { type Agent, METADATA_FILE } from '../../src/episode/index.ts';
import { type AttemptMetadata, metadataSchema } from '../../src/events/index.ts';
import { CallFailure, openModel, systemContext } from '../../src/models/index.ts';
import { profileOf, type ServerChoice } from '../../src/tools/index.ts';
import { hostileServer } from '../support/hostile-server.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { runTasks } from '../support/run-tasks.ts';
import { agent, click, moves, NEVER, type PlayOptions, play, read, task } from '../support/stage.ts';

const PAGE = readFileSync(path.join(import.meta.dirname, '../../docs/reference/outcomes.md'), 'utf8');
const ROWS = [...PAGE.matchAll(/^\| ([^|]+) \| `(\w+)` \| `(\w+)` \| `(\w+)` \|$/gm)].map(([, ...cells]) => cells);

const START = '/recovery/progress-positive';
const CLICK: Move = { action: { action: 'click', target: { selector: '#advance' } } };
/** It is known by its tools for navigating and reading only. */
const PLAIN: ServerChoice = { ...hostileServer(), dialect: 'plain' };

let lab: Lab;
/** How a site keeps programs out. */
const WALLS: Readonly<Record<string, { status: number; body: string }>> = {
  '/challenge': { status: 403, body: '<title>Just a moment...</title><h1>Checking your browser</h1>' },
  '/attack': { status: 503, body: '<title>Attention Required! | Cloudflare</title>' },
  '/limit': { status: 429, body: '<h1>Slow down</h1>' },
  '/members': { status: 302, body: '' },
  '/login': { status: 200, body: '<title>Members</title><form><input name="name"><input type="password"></form>' },
  '/forbidden': { status: 403, body: '<title>Forbidden</title>' },
};

/** A site that answers nothing, or only with a redirect to itself, or that keeps programs out. */
let site: Server;
let origin: string;
let deadPort: number;

beforeAll(async () => {
  lab = await openLab({ slots: 4 });
  site = createServer((request, response) => {
    if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    const wall = WALLS[request.url ?? ''];
    if (wall) response.writeHead(wall.status, { 'content-type': 'text/html', location: '/login' }).end(wall.body);
  });
  const closed = createServer();
  for (const server of [site, closed]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  deadPort = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
});
afterAll(async () => {
  site?.closeAllConnections();
  site?.close();
  await lab?.[Symbol.asyncDispose]();
});

interface Ended {
  status: string;
  outcome: string;
  termination: string;
}

/** By the words of the table. */
const CAUSES: Record<string, () => Promise<Ended>> = {
  'The contract passes after a step.': () =>
    ends({ success: { kind: 'dom_text', selector: 'h1', contains: 'Progress' } }, moves(read)),
  'The agent says that it is done, and the contract does not pass.': () => ends({}, moves()),
  'All steps are used.': () => ends({ maxSteps: 1 }, moves(read, read)),
  'The time is used up while the agent thinks.': () =>
    ends(
      { maxDurationMs: 500 },
      agent(() => new Promise(() => {})),
    ),
  'The time is used up while the agent waits for something by a tool, and the server is alive.': () => {
    const wait = { tool: 'wait_for', arguments: { text: 'never to be seen', timeoutMs: 60_000 } };
    return ends({ maxDurationMs: 1_500 }, moves(wait));
  },
  'The agent tries a guarded action without approval.': () =>
    ends({ guardedActions: ['click'] }, moves(click('#advance'))),
  'The site shows a challenge, and the agent says that it is done.': () =>
    ends({ startUrl: `${origin}/challenge` }, moves(read)),
  'The site shows a challenge in place of the start page, with an HTTP status of 500 or more.': () =>
    ends({ startUrl: `${origin}/attack` }, moves(read)),
  'The site refuses further requests (HTTP status 429), and all steps are used.': () =>
    ends({ startUrl: `${origin}/limit`, maxSteps: 1 }, moves(read, read)),
  'The site redirects to a login that the task does not expect, and the agent says that it is done.': () =>
    ends({ startUrl: `${origin}/members` }, moves(read)),
  'A page of the site is forbidden (HTTP status 403), and the agent says that it is done.': () =>
    ends({ startUrl: `${origin}/forbidden` }, moves(read)),
  'The slot is not clean.': () => ends({}, moves(), { reset: { ok: false, findings: ['a cookie'], durationMs: 0 } }),
  "There is no such host as the start page's.": () => ends({ startUrl: 'http://nowhere.invalid/' }, moves(read)),
  'The connection to the start page is refused.': () =>
    ends({ startUrl: `http://127.0.0.1:${deadPort}/` }, moves(read)),
  'The start page answers with an HTTP status of 500 or more.': () =>
    ends({ startUrl: `${lab.server.origin}/status/503` }, moves(read)),
  'The start page redirects without an end.': () => ends({ startUrl: `${origin}/loop` }, moves(read)),
  'The start page never answers.': () => ends({ startUrl: `${origin}/silent`, maxDurationMs: 500 }, moves(read)),
  'The start page crashes.': () =>
    ends({}, moves(read), {
      before: ({ firstPage: { session } }) => {
        session.on('Page.frameNavigated', () => void session.send('Page.crash').catch(() => {}));
      },
    }),
  'A page crashes during a step.': () => {
    let crash = (): void => {};
    const breaker = moves(() => {
      crash();
      return { tool: 'wait_for', arguments: { text: 'never to be seen', timeoutMs: 60_000 } };
    });
    return ends({}, breaker, {
      before: ({ firstPage: { session } }) => {
        crash = () => void session.send('Page.crash').catch(() => {});
      },
    });
  },
  'The contract holds at the start, in a browser that the harness does not reset (`attach: own`).': () =>
    ends({ success: { kind: 'dom_text', selector: 'h1', contains: 'Progress' } }, moves(read), {
      change: (server) => ({ ...server, isolation: 'server' }),
    }),
  "A page that the contract reads at the end can't be opened.": () =>
    ends(
      { success: { kind: 'dom_count', selector: 'h1', op: 'eq', value: 1, page_url: `http://127.0.0.1:${deadPort}/` } },
      moves(read, { done: true }),
    ),
  'The page does not answer the last look.': () =>
    ends({ startUrl: `${lab.server.origin}/hang-script` }, moves(click('button'), { done: true })),
  'The browser ends during a step.': () =>
    withoutBrowser((kill) =>
      moves(read, () => {
        kill();
        return read;
      }),
    ),
  'The browser ends, and the agent says that it is done.': () =>
    withoutBrowser((kill) =>
      agent(async (session) => {
        await session.step(read);
        kill();
      }),
    ),
  'The server does not start.': () => notBegun(hostileServer('obedient', 'no-such-program')),
  "The server's tools are not those of its profile.": () => notBegun(hostileServer('misfit')),
  'The server never connects to its browser, and says that it has shown the start page.': () =>
    ends({}, moves(), { server: hostileServer('elsewhere') }),
  "The server can't show the start page.": () => ends({}, moves(), { server: hostileServer('refusing') }),
  'The server ends during a call.': () => ends({}, moves({ tool: 'exit' }), { server: hostileServer() }),
  'The server makes its page crash.': () => ends({}, moves({ tool: 'crash' }), { server: hostileServer() }),
  'The server does not answer a call within the time of a call.': () =>
    ends({}, moves({ tool: 'hang' }), { server: hostileServer(), callTimeoutMs: 3_000 }),
  'The server has not answered a call when the time of the task is used up.': () =>
    ends({ maxDurationMs: 500 }, moves(), { server: hostileServer('silent') }),
  'The server has no tool for an action of the transcript.': () => ends({}, replaying(CLICK, PLAIN), { server: PLAIN }),
  "The server's schema refuses the call that an action of the transcript becomes.": () =>
    ends({}, replaying({ action: { action: 'wait', text: 'x' } }, hostileServer()), { server: hostileServer() }),
  "The agent's code throws.": () =>
    ends(
      {},
      agent(() => Promise.reject(new Error('a bug'))),
    ),
  'The page is not as the transcript expects.': () =>
    ends({}, replaying({ ...CLICK, expect: { contains: 'something else' } }, 'embedded')),
  "The agent's model can't be asked.": () =>
    ends(
      {},
      agent(() => Promise.reject(new CallFailure('server_error', 'It answers with 500.'))),
    ),
  'The model that the contract asks about a picture does not answer.': async () => {
    const calls = systemContext(new AbortController().signal, () => [{ address: '127.0.0.1', family: 4 }], {
      attempts: 1,
    });
    const choice = { kind: 'openai-compatible', model: 'none', baseUrl: `http://127.0.0.1:${deadPort}/v1` } as const;
    const success: TaskInput['success'] = { kind: 'image_qa', question: 'Well?', expected_pattern: 'yes' };
    return ends({ success }, moves(read), { imageModel: await openModel(choice, calls) });
  },
};

test('the table has a row for each cause that is made to happen here, and no other', () => {
  expect(ROWS.map(([cause = '']) => cause).sort()).toEqual(Object.keys(CAUSES).sort());
});

describe.concurrent('what ends an attempt', () => {
  test.each(ROWS)('%s', async (cause, status, outcome, termination) => {
    const ended = await CAUSES[cause]?.();
    expect(ended).toEqual({ status, outcome, termination });
  });
});

async function ends(changes: Partial<TaskInput>, by: Agent, options: PlayOptions = {}, where = lab): Promise<Ended> {
  const { result, folder } = await play(where, task(where, START, { success: NEVER, ...changes }), by, {
    screenshots: false,
    ...options,
  });
  return { ...endedIn(folder), status: result.status, outcome: result.outcome };
}

/** As `metadata.json` has it. */
function endedIn(folder: string): Ended {
  const metadata: AttemptMetadata = metadataSchema.parse(
    JSON.parse(readFileSync(path.join(folder, METADATA_FILE), 'utf8')),
  );
  const { status, outcome } = Object(metadata.grader_results['contract']?.details);
  return { status: String(status), outcome: String(outcome), termination: metadata.termination_reason };
}

/** In a browser of its own, which the agent can end. */
async function withoutBrowser(by: (kill: () => void) => Agent): Promise<Ended> {
  await using own = await openLab({ slots: 1 });
  const killer = by(() => process.kill(own.pool.browsers[0]?.pid ?? 0, 'SIGKILL'));
  return await ends({}, killer, {}, own);
}

/** A transcript of one move. */
function replaying(move: Move, server: ServerChoice | string): Agent {
  return scripted({
    transcript: { format: TRANSCRIPT_FORMAT, task: 'test-task', moves: [move] },
    profile: profileOf(server),
  });
}

/** A run of one task that ends before its attempt has begun. */
async function notBegun(server: ServerChoice): Promise<Ended> {
  using run = await runTasks(lab, [task(lab, START)], moves(), { server });
  const begun = await run.execute();
  const folder = path.join(run.folder, 'episodes/test-task/trial-1');
  return { ...endedIn(folder), status: begun.length === 0 ? 'not_begun' : 'begun' };
}
