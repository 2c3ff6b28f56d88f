/** BrowserOS's profile against a stand-in: the real one was never run here. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachServer } from '../../src/tools/profiles/attach-server.ts';
import { profileOf } from '../../src/tools/profiles/profile-of.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';
import { moves, play } from '../support/stage.ts';
import { startBrowserOs } from './support/browseros-stand-in.ts';
import { Stage } from './support/run-scenario.ts';

let lab: Lab;
let browser: Awaited<ReturnType<typeof startRemoteBrowser>>;
let server: Awaited<ReturnType<typeof startBrowserOs>>;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
  browser = await startRemoteBrowser();
  server = await startBrowserOs(browser.httpAddress);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await browser?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});

const choice = () => ({ server: 'browseros', url: server.url, cdpAddress: browser.wsAddress }) as const;
const page = (lab_: Lab): string => `http://127.0.0.1:${lab_.server.port}/small`;

test('navigates and reads by its own tools; what is not known of it is refused with a sentence', async () => {
  await using slot = await lab.slot();
  await using attached = await attachServer(profileOf(choice()), slot);
  const stage = new Stage(attached, slot, lab.server.origin);
  await stage.must({ action: 'navigate', url: page(lab) });
  expect((await attached.witness.observe()).title).toBe('Small page');
  expect((await stage.must({ action: 'read' })).calls.map(({ tool }) => tool)).toEqual(['take_snapshot']);
  expect(await stage.do({ action: 'click', target: { selector: '#button' } })).toMatchObject({
    end: {
      status: 'unsupported',
      sentence: expect.stringMatching(/^Nothing is known of how browseros does "click"/),
    },
  });
  await expect(attached.openLane()).rejects.toMatchObject({
    code: 'executor_unsupported',
    message: 'The server browseros is reached at one URL, so executors cannot be isolated in it.',
  });
});

test('an episode on it: its own calls, judged by the witness in its own browser, and isolation said to be the server’s', async () => {
  const input = {
    id: 'on-browseros',
    title: 'Read a small page',
    startUrl: page(lab),
    goal: 'Read it.',
    success: { kind: 'dom_text' as const, selector: 'h1', contains: 'Small page' },
  };
  const { result, of } = await play(lab, input, moves({ tool: 'take_snapshot' }), { server: choice() });
  expect(result).toMatchObject({
    status: 'passed',
    firstTool: 'take_snapshot',
    server: { name: 'browseros', version: 'stand-in', transport: 'http', isolation: 'server' },
  });
  expect(of('tool_call').map(({ tool, observes }) => [tool, observes])).toEqual([
    ['navigate_page', false],
    ['take_snapshot', true],
  ]);
  expect(browser.isAlive()).toBe(true);
});
