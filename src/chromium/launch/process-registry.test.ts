import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProcessEntry, reapOrphans, STATE_VARIABLE, stateFolder } from './process-registry.ts';
import { processesWith, processFacts } from './process-table.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'waymark-ledger-'));
  folder = stateFolder({ [STATE_VARIABLE]: path.join(root, 'state') });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NAME = 'abcdef0123456789';
/** No process has it: above the largest pid that Linux gives out. */
const NO_PID = 2 ** 22 + 1;
const gone = { pid: NO_PID, startedAt: 'then' };

function forge(entry: unknown, name = NAME): string {
  const file = path.join(folder, 'ledger', `${name}.json`);
  writeFileSync(file, typeof entry === 'string' ? entry : JSON.stringify(entry));
  return file;
}

function profileFolder(name = NAME): string {
  const profile = path.join(folder, 'profiles', name);
  mkdirSync(path.join(profile, 'Default'), { recursive: true });
  writeFileSync(path.join(profile, 'Default', 'Cookies'), 'x');
  return profile;
}

/** A process that waits, with the given text in its command line. */
async function sleeper(text = '') {
  const script = 'process.stdout.write("up"); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script, '--', text], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  if (child.stdout) await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    exited,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  };
}

describe('the state folder', () => {
  test('is made for us alone', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).sort()).toEqual(['ledger', 'profiles']);
  });

  test('is the same place wherever it is named from', () => {
    const relative = path.relative(process.cwd(), folder);
    expect(stateFolder({ [STATE_VARIABLE]: `${relative}/` })).toBe(folder);
  });

  test('without a variable it lies in the temporary folder, by user', () => {
    const uid = process.getuid?.() ?? 'user';
    expect(stateFolder({})).toBe(path.join(tmpdir(), `waymark-${uid}`));
  });
});

describe('an entry', () => {
  test('names profile, owner and browser while it lives, and leaves nothing', () => {
    const entry = new ProcessEntry(folder);
    const [file = ''] = readdirSync(path.join(folder, 'ledger'));
    const read = () => JSON.parse(readFileSync(path.join(folder, 'ledger', file), 'utf8')) as unknown;
    const owner = { pid: process.pid, startedAt: processFacts(process.pid)?.startedAt };
    expect(read()).toEqual({ profile: entry.profile, owner });
    expect(statSync(entry.profile).mode & 0o777).toBe(0o700);
    entry.started(process.pid);
    expect(read()).toEqual({ profile: entry.profile, owner, browser: owner });
    writeFileSync(path.join(entry.profile, 'Cookies'), 'x');
    entry.ended();
    entry.ended();
    expect(readdirSync(path.join(folder, 'ledger'))).toEqual([]);
    expect(existsSync(entry.profile)).toBe(false);
  });

  test('of a living harness is left alone', () => {
    const entry = new ProcessEntry(folder);
    expect(reapOrphans(folder)).toEqual([]);
    expect(existsSync(entry.profile)).toBe(true);
  });
});

describe('reaping', () => {
  test('for a harness that has ended, the browser is ended, its profile and entry are removed, and it is reported', async () => {
    const profile = profileFolder();
    using browser = await sleeper(`--user-data-dir=${profile}`);
    const startedAt = processFacts(browser.pid)?.startedAt;
    forge({ profile, owner: gone, browser: { pid: browser.pid, startedAt } });
    expect(reapOrphans(folder)).toEqual([{ profile, pids: [browser.pid] }]);
    await browser.exited;
    expect(existsSync(profile)).toBe(false);
    expect(readdirSync(path.join(folder, 'ledger'))).toEqual([]);
    expect(reapOrphans(folder)).toEqual([]);
  });

  test('killed before its browser was written down: the profile on the command line is enough', async () => {
    const profile = profileFolder();
    using browser = await sleeper(`--user-data-dir=${profile}`);
    forge({ profile, owner: gone });
    expect(reapOrphans(folder)).toEqual([{ profile, pids: [browser.pid] }]);
    await browser.exited;
  });

  test('a pid that belongs to another process by now is left alone; the profile still goes', async () => {
    const profile = profileFolder();
    using stranger = await sleeper('stranger');
    forge({ profile, owner: gone, browser: { pid: stranger.pid, startedAt: 'another time' } });
    expect(reapOrphans(folder)).toEqual([{ profile, pids: [] }]);
    expect(stranger.isAlive()).toBe(true);
    expect(existsSync(profile)).toBe(false);
  });

  test('an owner whose pid was given to another process is gone', () => {
    const profile = profileFolder();
    forge({ profile, owner: { pid: process.pid, startedAt: 'another time' } });
    expect(reapOrphans(folder)).toEqual([{ profile, pids: [] }]);
  });

  test('where the system does not tell start times, an owner that exists counts as alive, and no pid is trusted', async () => {
    const profile = profileFolder();
    using stranger = await sleeper('stranger');
    const file = forge({ profile, owner: { pid: process.pid, startedAt: 'unknown' } });
    expect(reapOrphans(folder)).toEqual([]);
    rmSync(file);
    forge({
      profile,
      owner: { pid: NO_PID, startedAt: 'unknown' },
      browser: { pid: stranger.pid, startedAt: 'unknown' },
    });
    expect(reapOrphans(folder)).toEqual([{ profile, pids: [] }]);
    expect(stranger.isAlive()).toBe(true);
  });

  test('no path but the one that the entry’s own name stands for is ever removed, or looked for among processes', async () => {
    const foreign = path.join(root, 'home');
    mkdirSync(foreign);
    const living = new ProcessEntry(folder);
    using browser = await sleeper(`--user-data-dir=${living.profile}`);
    const profiles = path.join(folder, 'profiles');
    const forged = [
      foreign,
      profiles,
      `${profiles}/`,
      path.join(profiles, '.'),
      `${profiles}/..`,
      `${profiles}/../../home`,
      `${profiles}/${NAME}/..`,
      living.profile,
      living.profile.slice(0, -4),
      '/',
    ];
    for (const profile of forged) {
      const file = forge({ profile, owner: gone, browser: { pid: browser.pid, startedAt: 'another time' } });
      expect(reapOrphans(folder), profile).toEqual([]);
      rmSync(file);
    }
    expect(existsSync(foreign)).toBe(true);
    expect(existsSync(living.profile)).toBe(true);
    expect(browser.isAlive()).toBe(true);
  });

  test('a torn entry is left for a minute, because it may be in the middle of being written', () => {
    const files = [
      forge('{"profile":"'),
      forge('', '0000000000000000'),
      path.join(folder, 'ledger', `${NAME}.json.new`),
    ];
    writeFileSync(files[2] ?? '', '{');
    expect(reapOrphans(folder)).toEqual([]);
    expect(files.every((file) => existsSync(file))).toBe(true);
    const old = new Date(Date.now() - 61_000);
    for (const file of files) utimesSync(file, old, old);
    expect(reapOrphans(folder)).toEqual([]);
    expect(files.some((file) => existsSync(file))).toBe(false);
  });
});

describe('the process table', () => {
  test('a process keeps its start time, another one has its own, and one that is gone has none', async () => {
    using one = await sleeper('one');
    const facts = processFacts(one.pid);
    expect(processFacts(one.pid)).toEqual(facts);
    expect(facts?.startedAt).not.toBe(processFacts(process.pid)?.startedAt);
    expect(facts?.commandLine).toMatch(/ one$/);
    process.kill(one.pid, 'SIGKILL');
    await one.exited;
    expect(processFacts(one.pid)).toBeUndefined();
    expect(processFacts(NO_PID)).toBeUndefined();
  });

  test('processes are found by their command line', async () => {
    const mark = `mark-${path.basename(root)}`;
    using one = await sleeper(mark);
    expect(processesWith(mark).map(({ pid }) => pid)).toEqual([one.pid]);
  });
});
