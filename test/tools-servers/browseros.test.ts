/** BrowserOS's profile against a stand-in that is as strict as its schemas, in both generations of its tools. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gate } from '../../src/chromium/index.ts';
import { connectServer } from '../../src/tools/connect/connect-server.ts';
import { type AttachedServer, attachServer } from '../../src/tools/profiles/attach-server.ts';
import { profileOf } from '../../src/tools/profiles/profile-of.ts';
import { optionsFor } from '../support/gate-lab.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { RawClient } from '../support/raw-client.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';
import { moves, play } from '../support/stage.ts';
import { startBrowserOs } from './support/browseros-stand-in.ts';
import { Stage } from './support/run-scenario.ts';
import { SCENARIOS } from './support/scenarios.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab?.[Symbol.asyncDispose]());

const CHOSEN = ['a form, by role and name', 'open shadow roots, two deep', 'a click at an offset in an element'];

describe.each(['first', 'second'] as const)('the %s generation of its tools, behind the gate', (generation) => {
  test('does canonical actions on the page that each call names, and finds its tabs by its own commands', async () => {
    await using slot = await lab.slot();
    const gate = await Gate.open(optionsFor(slot));
    try {
      await using cdp = await RawClient.connect(gate.wsAddress);
      await using server = await startBrowserOs(cdp, generation, 'browseros');
      await using client = await connectServer({ kind: 'http', url: server.url });
      const profile = profileOf({ server: 'browseros', url: server.url, cdpAddress: gate.httpAddress });
      const stage = new Stage({ profile, client } as unknown as AttachedServer, slot, lab.server.origin);
      for (const scenario of SCENARIOS.filter(({ name }) => CHOSEN.includes(name))) await stage.run(scenario);
      const first = stage.context.tab;
      await stage.must({ action: 'tab', operation: 'new', url: `${lab.server.origin}/small` });
      expect(stage.context.tab).not.toBe(first);
      await stage.must({ action: 'type', target: { selector: '#text' }, text: 'In the new tab' });
      await until(() => slot.witness.pages.length === 2, 'the witness to see the new tab');
      await stage.must({ action: 'tab', operation: 'close' });
      await until(() => slot.witness.pages.length === 1, 'the witness to see it close');
      expect((await stage.must({ action: 'tab', operation: 'select', url: '/coordinates' })).text).toContain(
        'Coordinates',
      );
      expect(gate.refused).toEqual([]);
    } finally {
      await gate.close();
    }
  });
});

describe('a browser of its own', () => {
  let browser: Awaited<ReturnType<typeof startRemoteBrowser>>;
  let cdp: RawClient;
  let server: Awaited<ReturnType<typeof startBrowserOs>>;
  beforeAll(async () => {
    browser = await startRemoteBrowser();
    cdp = await RawClient.connect(browser.wsAddress);
    server = await startBrowserOs(cdp, 'first', 'chromium');
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await cdp?.[Symbol.asyncDispose]();
    await browser?.[Symbol.asyncDispose]();
  });
  const choice = () => ({ server: 'browseros', url: server.url, cdpAddress: browser.wsAddress }) as const;
  const page = (path: string): string => `http://127.0.0.1:${lab.server.port}${path}`;

  test('navigates and reads by its own tools, and shares its browser with no executor', async () => {
    await using slot = await lab.slot();
    await using attached = await attachServer(profileOf(choice()), slot);
    const stage = new Stage(attached, slot, lab.server.origin);
    await stage.must({ action: 'navigate', url: page('/small') });
    expect((await attached.witness.observe()).title).toBe('Small page');
    expect((await stage.must({ action: 'read' })).calls.map(({ tool }) => tool)).toEqual(['take_snapshot']);
    await expect(attached.openLane()).rejects.toMatchObject({
      code: 'executor_unsupported',
      message: 'The server browseros is reached at one URL, so executors cannot be isolated in it.',
    });
  });

  test('an episode on it is judged by the witness in that browser, and isolation is said to be the server’s', async () => {
    const input = {
      id: 'on-browseros',
      title: 'Go to a small page',
      startUrl: page('/form'),
      goal: 'Go there.',
      // A contract that holds on the start page already is an env_error in a browser that is not reset.
      success: { kind: 'dom_text' as const, selector: 'h1', equals: 'Small page' },
    };
    const call = { tool: 'navigate_page', arguments: { page: 1, url: page('/small') } };
    const { result, of } = await play(lab, input, moves(call), { server: choice() });
    expect(result).toMatchObject({
      status: 'passed',
      firstTool: 'navigate_page',
      server: { name: 'browseros', version: 'stand-in', transport: 'http', isolation: 'server' },
    });
    expect(of('tool_call').map(({ tool, observes }) => [tool, observes])).toEqual([
      ['list_pages', true],
      ['navigate_page', false],
      ['navigate_page', false],
    ]);
    expect(browser.isAlive()).toBe(true);
  });
});
