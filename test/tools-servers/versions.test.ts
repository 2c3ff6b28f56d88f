/**
 * Older versions of the two npm servers do what the newest ones do, which have test files of their own; a version that can't is refused before
 * an episode begins. They run side by side, because these versions wait half a second or more after most calls.
 */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachServer } from '../../src/tools/profiles/attach-server.ts';
import { findProgram } from '../../src/tools/profiles/find-package.ts';
import { profileOf } from '../../src/tools/profiles/profile-of.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { Stage } from './support/run-scenario.ts';
import { SCENARIOS } from './support/scenarios.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 6 });
});
afterAll(() => lab[Symbol.asyncDispose]());

/** By selector and by role, in shadow roots, by keys, by a wait that no tool of the old versions has. */
const CHOSEN = ['a wizard over several pages', 'a shadow root, by text', 'a chord on an element'];
const scenarios = SCENARIOS.filter(({ name }) => CHOSEN.includes(name));
const command = (name: string): string[] => [process.execPath, findProgram(name, [path.dirname(import.meta.dirname)])];

describe.concurrent.each([
  ['playwright', ['playwright-mcp-0.0.70', 'playwright-mcp-0.0.56', 'playwright-mcp-0.0.41']],
  ['chrome-devtools', ['chrome-devtools-mcp-1.0.1', 'chrome-devtools-mcp-0.10.2']],
] as const)('%s', (server, packages) => {
  test.each(packages)('%s', async (name) => {
    expect(scenarios).toHaveLength(CHOSEN.length);
    await using slot = await lab.slot();
    await using attached = await attachServer(profileOf({ server, command: command(name) }), slot);
    const stage = new Stage(attached, slot, lab.server.origin);
    for (const scenario of scenarios) await stage.run(scenario);
  });
});

test.concurrent('a version without a tool that every task needs is refused in one sentence', async () => {
  await using slot = await lab.slot();
  const profile = profileOf({ server: 'chrome-devtools', command: command('chrome-devtools-mcp-0.2.6') });
  await expect(attachServer(profile, slot)).rejects.toMatchObject({
    code: 'tool_server_mismatch',
    message: 'The server chrome_devtools 0.2.6 does not fit the profile chrome-devtools: it has no tool "press_key".',
  });
});
