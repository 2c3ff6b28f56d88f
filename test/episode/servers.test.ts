/** The same tasks, from the same transcripts, on every server; and tasks that must not pass. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadTasks } from '../../src/cases/index.ts';
import { CommandSandbox, failingTasks, NOTHING_LEFT, readReport, readResults, taskFile, tasks } from './command.ts';

const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());

/** They need different things of a server: reading a replayed page, a form, another site's frame, keys, a wrong first step, a wait, many clicks at one URL. */
const EVERYWHERE = [
  'example-h1',
  'frame-cross-site',
  'keys-chord',
  'local-form-submit',
  'local-recovery-stall',
  'network-created',
  'wizard-book-trip',
];

/**
 * What must not depend on the server: moves, and what they are worth. Which step is credited with an answer of the network does:
 * a server that waits for the answer gives it to the click, one that does not to the step after it.
 */
function measuredOf(out: string) {
  return readResults(out)
    .filter(({ taskId }) => EVERYWHERE.includes(taskId))
    .map(({ taskId, steps, noProgressEpisodes, reward, wandering, recovery: { failures, recovered } }) => ({
      taskId,
      steps,
      noProgressEpisodes,
      rewardSum: reward?.sum,
      wandering: taskId === 'network-created' ? { ...wandering, stepsWithoutReward: undefined } : wandering,
      recovery: { failures, recovered },
    }));
}
let onEmbedded: ReturnType<typeof measuredOf> | undefined;

/** `task: status  reason`, so that a failure says what there is to know. */
function outcomesOf(out: string): string[] {
  return readReport(out).episodes.map(({ taskId, status, reason }) =>
    status === 'passed' ? `${taskId}: passed` : `${taskId}: ${status}  ${reason}`,
  );
}

test('embedded: every fixture task passes', async () => {
  const ran = await sandbox.run([tasks, '--concurrency', '2']);
  const ids = (await loadTasks([tasks])).map(({ task }) => task.id);
  expect(outcomesOf(ran.out)).toEqual(ids.map((id) => `${id}: passed`));
  // Each in the order of the plan, in a folder that is named after its task and trial, whichever ended first.
  expect(readResults(ran.out).map(({ artifacts }) => artifacts)).toEqual(
    ids.map((id) => ({
      eventsJsonl: path.join('episodes', id, 'trial-1', 'events.jsonl'),
      reportJson: 'report.json',
      screenshotDir: path.join('episodes', id, 'trial-1', 'screenshots'),
      messagesJsonl: path.join('episodes', id, 'trial-1', 'messages.jsonl'),
      ledgerJsonl: path.join('episodes', id, 'trial-1', 'ledger.jsonl'),
      metadataJson: path.join('episodes', id, 'trial-1', 'metadata.json'),
    })),
  );
  expect(ran.code).toBe(0);
  onEmbedded = measuredOf(ran.out);
});

describe.each(['playwright', 'chrome-devtools'])('%s', (server) => {
  test('passes the same tasks from the same transcripts, behind the gate', async () => {
    const ran = await sandbox.run([...EVERYWHERE.map(taskFile), '--server', server, '--concurrency', '2']);
    expect(outcomesOf(ran.out)).toEqual(EVERYWHERE.map((id) => `${id}: passed`));
    const report = readReport(ran.out);
    expect(report.server).toMatchObject({ name: server, transport: 'stdio', isolation: 'context' });
    expect(report.server.version).toMatch(/^\d/);
    // The calls are the server's own, and the start page was opened by its own tool.
    const firsts = readResults(ran.out).map(({ firstTool }) => firstTool);
    expect(firsts).not.toContain('read_page');
    expect(ran.code).toBe(0);
    // The same oracle takes the same steps, with the same efficiency and reward, whichever server carries them out.
    expect(measuredOf(ran.out)).toEqual(onEmbedded);
  });
});

test('playwright, where the temporary folder lies so deep that no socket has room in it', async () => {
  const deep = path.join(sandbox.folder, 'd'.repeat(50), 'e'.repeat(50));
  mkdirSync(deep, { recursive: true });
  const env = { TMPDIR: deep, WAYMARK_STATE_DIR: undefined };
  const ran = await sandbox.run([taskFile('example-h1'), '--server', 'playwright'], { env });
  expect(outcomesOf(ran.out)).toEqual(['example-h1: passed']);
});

test('tasks that must fail do, in the way that each of them names', async () => {
  const loaded = await loadTasks([failingTasks]);
  const wanted = loaded.map(({ task }) => {
    const status = task.tags?.find((tag) => tag.startsWith('expect:'))?.slice('expect:'.length);
    return `${task.id}: ${status}`;
  });
  const ran = await sandbox.run([failingTasks, '--concurrency', '2']);
  expect(readReport(ran.out).episodes.map(({ taskId, status }) => `${taskId}: ${status}`)).toEqual(wanted);
  // Five looks at one page, of which the last two bring nothing for the third time: as the server's results say it.
  const looking = readResults(ran.out).find(({ taskId }) => taskId === 'fail-no-progress');
  expect(looking).toMatchObject({ noProgressEpisodes: 2, wandering: { noProgressRuns: 1 } });
  // A start page that does not load and a page that hangs are the site's faults, and not in the valid-only rate.
  const failed = wanted.filter((line) => !line.endsWith(': tool_error'));
  expect(readReport(ran.out).summary).toMatchObject({ passed: 0, validOnly: { passed: 0, of: failed.length } });
  expect(ran.code).toBe(1);
});

test('no process, profile or server folder is left', () => {
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
