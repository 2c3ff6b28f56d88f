/** What every server is held to: the same canonical actions, on the same pages, with the harness as witness. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachServer } from '../../../src/tools/profiles/attach-server.ts';
import { profileOf } from '../../../src/tools/profiles/profile-of.ts';
import type { ServerChoice } from '../../../src/tools/profiles/server-choice.ts';
import { evaluate, type Lab, openLab, until } from '../../support/lab.ts';
import { Stage } from './run-scenario.ts';
import { SCENARIOS, type ServerName } from './scenarios.ts';

export function testServer(
  server: ServerName,
  kinds: Record<'missing' | 'deadHost', string> & {
    /** Absent where refs are told in the server's own calls only. */ stale?: string;
  },
  choice: (filesFolder: string) => ServerChoice = (filesFolder) => ({ server, filesFolder }) as ServerChoice,
): void {
  let lab: Lab;
  let stage: Stage;
  let files: string;
  beforeAll(async () => {
    files = mkdtempSync(path.join(tmpdir(), 'waymark-files-'));
    writeFileSync(path.join(files, 'notes.txt'), 'twelve bytes');
    lab = await openLab({ slots: 1 });
    const slot = await lab.slot();
    const attached = await attachServer(profileOf(choice(files)), slot);
    stage = new Stage(attached, slot, lab.server.origin);
  });
  afterAll(async () => {
    await stage?.server.dispose();
    await lab?.[Symbol.asyncDispose]();
    rmSync(files, { recursive: true, force: true });
  });

  describe(`canonical actions through ${server}`, () => {
    for (const scenario of SCENARIOS) test(scenario.name, () => stage.run(scenario));

    test('a file is uploaded from the folder that it may come from', async () => {
      await stage.must({ action: 'navigate', url: `${stage.origin}/upload` });
      await stage.must({ action: 'upload', target: { selector: '#file' }, files: [path.join(files, 'notes.txt')] });
      expect(await evaluate(stage.slot, "document.querySelector('#result').textContent")).toBe(
        'Chosen: notes.txt, 12 bytes',
      );
    });

    test('tabs are opened, chosen and closed, and a popup is one', async () => {
      await stage.must({ action: 'navigate', url: `${stage.origin}/popup` });
      // A server may keep the tab that was there at the start, beside its own.
      const before = stage.slot.witness.pages.length;
      await stage.must({ action: 'click', target: { selector: '#open-popup' } });
      await until(() => stage.slot.witness.pages.length === before + 1, 'the popup');
      // Servers learn of it in their own time.
      const list = async () => (await stage.must({ action: 'tab', operation: 'list' })).text;
      await until(async () => (await list()).includes('/popup/window'), 'the server to know of the popup');
      await stage.must({ action: 'tab', operation: 'select', url: '/popup/window' });
      await stage.must({ action: 'type', target: { selector: '#message' }, text: 'from the popup' });
      await stage.must({ action: 'click', target: { selector: '#send' } });
      expect((await stage.slot.witness.observe()).url).toBe(`${stage.origin}/popup/window`);
      await stage.must({ action: 'tab', operation: 'close', url: '/popup/window' });
      await stage.must({ action: 'tab', operation: 'select', url: '/popup' });
      await stage.must({ action: 'wait', text: 'Message: from the popup' });
      await stage.must({ action: 'tab', operation: 'new', url: `${stage.origin}/form` });
      await stage.must({ action: 'type', target: { selector: '#name' }, text: 'In the new tab' });
      const look = await stage.slot.witness.observe();
      expect(look).toMatchObject({ url: `${stage.origin}/form`, tabs: { length: before + 1 } });
      await stage.must({ action: 'tab', operation: 'close' });
      expect((await stage.must({ action: 'tab', operation: 'list' })).text).toContain('/popup');
    });

    // The last one: after an address that can't be reached, Playwright's next navigation may be cut off by the error page.
    test('failures have their kind, whatever words the server uses', async () => {
      await stage.must({ action: 'navigate', url: `${stage.origin}/small` });
      const missing = await stage.do({ action: 'click', target: { role: 'button', name: 'Not here' } });
      expect(missing.ok).toBe(false);
      const { end, calls } = missing;
      expect('kind' in end ? end.kind : calls.at(-1)?.result.errorKind).toBe(kinds.missing);
      if (kinds.stale !== undefined) {
        const stale = await stage.do({ action: 'click', target: { ref: server === 'embedded' ? 'a9999' : 'e9999' } });
        expect(stale.calls.at(-1)?.result).toMatchObject({ isError: true, errorKind: kinds.stale });
      }
      const dead = await stage.do({ action: 'navigate', url: 'http://nowhere.invalid/' });
      expect(dead.calls.at(-1)?.result.errorKind ?? '').toBe(kinds.deadHost);
    });
  });
}
