import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, findBrowser, reapOrphans, STATE_VARIABLE } from '../../src/chromium/index.ts';
import { until } from '../support/lab.ts';
import { groupOf, startHarness } from '../support/processes.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';

let state: string;
beforeAll(() => {
  state = mkdtempSync(path.join(tmpdir(), 'waymark-orphans-'));
  process.env[STATE_VARIABLE] = state;
});
afterAll(() => {
  delete process.env[STATE_VARIABLE];
  rmSync(state, { recursive: true, force: true });
});

const ledger = () => readdirSync(path.join(state, 'ledger')).sort();

test('after a kill -9 of a harness with four busy slots, the next start reaps exactly its browsers', async () => {
  const found = findBrowser();
  if (!found) throw new Error('No browser: run the tests by `npm test`, which finds or installs one.');

  // Those to be left alone: a browser of a living harness (this one), and one that is none of ours.
  await using living = await Browser.launch({ browser: found });
  await using unrelated = await startRemoteBrowser();
  const ofLiving = ledger();
  expect(ofLiving).toHaveLength(1);

  const harness = await startHarness('wait', 4);
  expect(new Set(harness.contexts).size).toBe(4);
  expect(harness.pids.length).toBeGreaterThan(1);
  // A browser ends by itself when its pipe closes, given the chance: stopped, it has none.
  for (const pid of harness.pids) process.kill(-pid, 'SIGSTOP');
  const ofHarness = ledger().filter((name) => !ofLiving.includes(name));
  expect(ofHarness).toHaveLength(harness.pids.length);
  harness.kill('SIGKILL');
  await harness.exited;
  for (const pid of harness.pids) expect(groupOf(pid).length).toBeGreaterThan(1);

  // Entries that are not what they seem: a pid that another process has by now, and a path that is not ours to remove.
  const owner = { pid: harness.pid, startedAt: 'then' };
  const reused = path.join(state, 'profiles', '00000000000000aa');
  mkdirSync(reused);
  writeFileSync(
    path.join(state, 'ledger', '00000000000000aa.json'),
    JSON.stringify({ profile: reused, owner, browser: { pid: unrelated.pid, startedAt: 'then' } }),
  );
  const foreign = mkdtempSync(path.join(tmpdir(), 'waymark-foreign-'));
  const forged = path.join(state, 'ledger', '00000000000000bb.json');
  writeFileSync(forged, JSON.stringify({ profile: foreign, owner }));

  const expected = [
    ...ofHarness.map((name) => {
      const { profile, browser } = JSON.parse(readFileSync(path.join(state, 'ledger', name), 'utf8')) as {
        profile: string;
        browser: { pid: number };
      };
      return { profile, pids: [browser.pid] };
    }),
    { profile: reused, pids: [] },
  ];
  expect(expected.flatMap(({ pids }) => pids).sort()).toEqual([...harness.pids].sort());
  const byProfile = (a: { profile: string }, b: { profile: string }) => (a.profile < b.profile ? -1 : 1);
  expect(reapOrphans().sort(byProfile)).toEqual(expected.sort(byProfile));

  for (const pid of harness.pids)
    await until(() => groupOf(pid).length === 0, 'the orphans to be gone, children included');
  for (const { profile } of expected) expect(existsSync(profile)).toBe(false);
  expect(ledger()).toEqual([path.basename(forged), ...ofLiving].sort());
  expect(existsSync(foreign)).toBe(true);
  expect(unrelated.isAlive()).toBe(true);
  expect(living.connection.isOpen).toBe(true);
  expect((await living.connection.root.send('Browser.getVersion')).product).toBe(living.identity.product);
  expect(reapOrphans()).toEqual([]);
  rmSync(foreign, { recursive: true });
});
