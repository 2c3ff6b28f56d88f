/** What is left of a run that was killed, and of one whose disk is full. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JournalEvent } from '../../src/events/index.ts';
import { readJournal, type TornLine } from '../../src/journal/index.ts';
import { until } from '../support/lab.ts';
import { CommandSandbox, eventsSaid, NOTHING_LEFT, taskFile } from './command.ts';

const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());

const TWO = [taskFile('local-recovery-stall'), taskFile('local-form-submit')];

/** Kills a verbose run some milliseconds after it has said that many events; gives what it said. */
function killAfter(events: number, delayMs: number): Promise<{ out: string; said: JournalEvent[] }> {
  const { child, out } = sandbox.start(TWO, { OPENCHROME_BENCH_VERBOSE: '1' });
  const { promise, resolve, reject } = Promise.withResolvers<{ out: string; said: JournalEvent[] }>();
  let text = '';
  let lines = 0;
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const before = lines;
    lines = eventsSaid(text).length;
    // A moment of its own: between two events as often as in the middle of one.
    if (before < events && lines >= events) setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (signal === 'SIGKILL') resolve({ out, said: eventsSaid(text) });
    else reject(new Error(`The run ended by itself (${code}): ${text.slice(-500)}`));
  });
  return promise;
}

/** The journals of a run, in the order that its episodes began. */
async function journalsOf(out: string): Promise<{ events: JournalEvent[]; torn: TornLine[] }[]> {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^episodes\/.*\/events\.jsonl$/.test(file),
  );
  const journals = await Promise.all(
    files.map(async (file) => {
      const events: JournalEvent[] = [];
      const torn: TornLine[] = [];
      for await (const event of readJournal(path.join(out, file), { onTorn: (line) => torn.push(line) }))
        if (event.type !== 'unknown') events.push(event);
      return { events, torn };
    }),
  );
  return journals.sort((a, b) => (a.events[0]?.time ?? Infinity) - (b.events[0]?.time ?? Infinity));
}

/** From the very first event to the middle of the second episode. Drawn once; a failure names its round. */
const ROUNDS = [
  [1, 0],
  [4, 7],
  [24, 23],
  [37, 3],
] as const;

test('kill -9 at any moment: journals read, and hold every event that was acknowledged and at most one more', async () => {
  for (const [events, delayMs] of ROUNDS) {
    const { out, said } = await killAfter(events, delayMs);
    const round = `killed ${delayMs} ms after event ${events}`;
    const journals = await journalsOf(out);
    const written = journals.flatMap((journal) => journal.events);
    const torn = journals.flatMap((journal) => journal.torn);
    expect(said.length, round).toBeGreaterThanOrEqual(events);
    expect(written.slice(0, said.length), round).toEqual(said);
    expect(written.length + torn.length, round).toBeLessThanOrEqual(said.length + 1);
    // Only the episode that was running has no end.
    expect(
      journals.slice(0, -1).every((journal) => journal.events.at(-1)?.type === 'stop'),
      round,
    ).toBe(true);
  }

  // Each start has reaped what the one before it had left; this one ends by itself.
  const ran = await sandbox.run([taskFile('example-h1')]);
  expect(ran.code).toBe(0);
  await until(() => sandbox.left().processes.length === 0, 'every process to be gone');
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});

test('kill -9 while a server process drives: the next start ends and removes what it left', async () => {
  const { child } = sandbox.start([taskFile('wizard-book-trip'), '--server', 'playwright'], {
    OPENCHROME_BENCH_VERBOSE: '1',
  });
  let text = '';
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.includes('"tool_result"')) child.kill('SIGKILL');
  });
  await closed;
  expect(sandbox.left().servers.length).toBe(1);
  expect(sandbox.left().ledger.length).toBe(1);
  const ran = await sandbox.run([taskFile('example-h1'), '--server', 'playwright']);
  expect(ran.code).toBe(0);
  await until(() => sandbox.left().processes.length === 0, 'every process to be gone');
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});

/** A disk of its own for real; undefined where this user may mount none. */
function tinyDisk(at: string, size: string): Disposable | undefined {
  mkdirSync(at);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', at], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { [Symbol.dispose]: () => execFileSync('umount', ['-l', at], { stdio: 'ignore' }) };
}

test('a full disk in the middle of an episode: a clear error, exit code 3, and what was written stays whole', async (context) => {
  const at = sandbox.newOut();
  using disk = tinyDisk(at, '64k');
  if (disk === undefined) return context.skip('mounting a disk is not permitted here');
  // Something else has the disk but for twelve pages: enough for the first episode, and not for the second.
  writeFileSync(path.join(at, 'other'), Buffer.alloc(4 * 4096));
  const out = path.join(at, 'run');
  const ran = await sandbox.run([...TWO, '--no-screenshots'], { out });
  const file = path.join(out, 'episodes/local-form-submit/trial-1/events.jsonl');
  expect(ran.err).toBe(
    `1/2  local-recovery-stall  passed\nwaymark: The journal ${file} could not be written: the disk is full (ENOSPC). What was written before is complete.\n` +
      'Free some space, or write to another disk, and run the same command again.\n',
  );
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  const [whole, cut] = await journalsOf(out);
  expect(whole?.events.at(-1)).toMatchObject({ type: 'stop', status: 'passed' });
  expect(cut?.torn).toEqual([]);
  expect(readFileSync(file).at(-1)).toBe(0x0a);
  expect(cut?.events[0]?.type).toBe('start');
  expect(cut?.events.length).toBeGreaterThan(3);
  expect(cut?.events.at(-1)?.type).not.toBe('stop');
  // Nothing is reported of an episode that has no end.
  expect(existsSync(path.join(out, 'report.json'))).toBe(false);
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
