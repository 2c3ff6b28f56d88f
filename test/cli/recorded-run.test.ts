/** `waymark report` and `waymark rescore` of a run that was recorded in a real browser. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeManifest } from '../../src/runs/integrity/manifest.ts';
import { type Folder, tamper, temporaryFolder, waymark } from './command-line.ts';
import { journal, recordRun } from './record-run.ts';

let recorded: Folder;
beforeAll(async () => {
  recorded = temporaryFolder();
  await recordRun(recorded.path);
});
afterAll(() => recorded?.[Symbol.dispose]());

const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** Every file that is derived from the journals. */
function derived(folder: string): string[] {
  const [name] = readdirSync(path.join(folder, 'events'));
  const id = path.basename(name ?? '', '.jsonl');
  return [
    'report.json',
    'report.md',
    'report.html',
    'events.jsonl',
    `reports/${id}.json`,
    `reports/${id}.md`,
    `events/${id}.jsonl`,
    ...['send-form', 'confirm-dialog'].flatMap((task) =>
      ['metadata.json', 'ledger.jsonl'].map((name) => `episodes/${task}/trial-1/${name}`),
    ),
  ];
}

/** The whole results, including fields that depend on the clock. */
function resultsOf(folder: string): { episodes: { reward: unknown; hashes: object }[] } {
  const [file] = readdirSync(path.join(folder, 'reports')).filter((name) => name.endsWith('.json'));
  return JSON.parse(read(folder, `reports/${file}`));
}

describe('waymark report', () => {
  test('rebuilds every file of a run, byte for byte', async () => {
    using run = temporaryFolder(recorded.path);
    const files = derived(run.path);
    const before = files.map((file) => read(run.path, file));
    for (const file of files) rmSync(path.join(run.path, file));
    const { code, out } = await waymark(['report', run.path, '--join-journals']);
    expect({ code, out }).toEqual({
      code: 0,
      out: `1 of 2 passed\nreport: ${path.join(run.path, 'report.html')}\n`,
    });
    for (const [index, file] of files.entries()) expect(read(run.path, file) === before[index], file).toBe(true);
  });

  test('--json prints the report and nothing else', async () => {
    const { code, out, err } = await waymark(['report', recorded.path, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual({ ...JSON.parse(read(recorded.path, 'report.json')), folder: recorded.path });
  });

  test('reads a run with an incomplete last line, and does not join it with the next journal', async () => {
    using run = temporaryFolder(recorded.path);
    const whole = read(run.path, 'events.jsonl');
    writeFileSync(journal(run.path), `${readFileSync(journal(run.path), 'utf8')}{"seq":99,"ty`);
    expect(await waymark(['report', run.path])).toMatchObject({ code: 0 });
    expect(read(run.path, 'events.jsonl')).toBe(whole);
  });

  test('a damaged journal is named and has no result; the rest of the run is reported and scored', async () => {
    using run = temporaryFolder(recorded.path);
    const file = journal(run.path);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.with(4, 'not an event').join('\n'));
    for (const folder of ['reports', 'events']) rmSync(path.join(run.path, folder), { recursive: true });
    const left = '1 of 2 has not finished: 1 interrupted (send-form)';
    const { code, out } = await waymark(['report', run.path]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^0 of 2 passed\n/) });
    expect(out).toContain(left);
    expect(read(run.path, 'report.md')).toMatch(
      /- journal: The journal events\.jsonl is damaged at line 5 \(byte \d+\): the line is not JSON\. \(episodes\/send-form\/trial-1\)/,
    );
    expect(readdirSync(path.join(run.path, 'reports'))).toHaveLength(2);
    expect((await waymark(['rescore', run.path])).out).toContain(left);
  });
});

describe('waymark rescore', () => {
  test('with the same rules, the results are those of the run, byte for byte, every time', async () => {
    using run = temporaryFolder(recorded.path);
    const before = readFileSync(journal(run.path));
    const { code, out } = await waymark(['rescore', run.path]);
    expect(code).toBe(0);
    const first = read(run.path, 'rescored.json');
    const { episodes, rules } = JSON.parse(first) as { episodes: unknown; rules: { constants: string } };
    expect(JSON.stringify(episodes)).toBe(JSON.stringify(resultsOf(run.path).episodes));
    expect(out).toContain(rules.constants);
    expect(out).toContain('2 of 2 episodes scored again, nothing changed\n');
    await waymark(['rescore', run.path]);
    expect(read(run.path, 'rescored.json')).toBe(first);
    expect(readFileSync(journal(run.path)).equals(before)).toBe(true);
  });

  test('its file is in the manifest; what the manifest says of other files stays, so that a change of them is still found', async () => {
    using run = temporaryFolder(recorded.path);
    await waymark(['rescore', run.path]);
    const kept = read(run.path, 'manifest.json');
    expect(kept).toContain('"path":"rescored.json"');
    writeManifest(run.path, JSON.parse(kept).runId);
    expect(read(run.path, 'manifest.json')).toBe(kept);
    writeFileSync(path.join(run.path, 'report.md'), 'all passed');
    await waymark(['rescore', run.path]);
    expect(read(run.path, 'manifest.json')).toBe(kept);
  });

  test('scores of other rules are computed again, and named', async () => {
    using run = temporaryFolder(recorded.path);
    const before = resultsOf(run.path);
    tamper(
      journal(run.path),
      ({ type }) => type === 'start',
      (event) => ({ ...event, hashes: { ...Object(event['hashes']), scorer: 'waymark-reward/0' } }),
    );
    tamper(
      journal(run.path),
      ({ type }) => type === 'reward',
      (event) => ({ ...event, score: -1 }),
    );
    const verified = await waymark(['verify', run.path]);
    expect(verified.out).toMatch(/scored by other rules \(waymark-reward\/0, .*give \d+ of \d+ scores another value/);
    expect(verified.out).not.toContain(', reward\n');
    const { out } = await waymark(['rescore', run.path]);
    expect(out).toContain('recorded: waymark-reward/0');
    expect(out).toContain('changed:  send-form: ');
    const after = JSON.parse(read(run.path, 'rescored.json')) as typeof before;
    expect(before.episodes[0]?.reward).toMatchObject({ last: 1 });
    expect(after.episodes[0]?.reward).toEqual(before.episodes[0]?.reward);
  });

  test('what was scored again has the hashes of the rules that did it, also where every score stays', async () => {
    using run = temporaryFolder(recorded.path);
    const { hashes } = resultsOf(run.path).episodes[0] ?? {};
    const earlier = { scorer: 'waymark-reward/0', constants: `sha256:${'0'.repeat(64)}` };
    tamper(
      journal(run.path),
      ({ type }) => type === 'start',
      (event) => ({ ...event, hashes: { ...Object(event['hashes']), ...earlier } }),
    );
    const { out } = await waymark(['rescore', run.path]);
    expect(out).toContain('changed:  send-form: hashes\n');
    const { recordedRules, rules, episodes } = JSON.parse(read(run.path, 'rescored.json'));
    expect(recordedRules).toContainEqual(earlier);
    // Those of task and contract stay: they say what was judged, not by which rules.
    expect(episodes[0].hashes).toEqual(hashes);
    expect(episodes[0].hashes).toMatchObject(rules);
  });
});

describe.each(['report', 'verify', 'rescore'])('waymark %s, given something that is not a run', (command) => {
  test.each<[string, (folder: string) => void, string]>([
    ['an empty folder', () => {}, 'it has no run.json'],
    ['a folder that is not there', (folder) => rmSync(folder, { recursive: true }), 'it is not there'],
    [
      'a run.json that is no JSON',
      (folder) => writeFileSync(path.join(folder, 'run.json'), '{'),
      'its run.json is not understood',
    ],
  ])('gives a clear error: %s', async (_name, prepare, why) => {
    using folder = temporaryFolder();
    prepare(folder.path);
    const { code, out, err } = await waymark([command, folder.path]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `waymark: ${folder.path} is no run: ${why}.\nGive a folder that \`waymark run\` made; by default they are in .waymark/runs.\n`,
    );
  });

  test('gives a clear error: nothing, two runs, a run without episodes', async () => {
    expect(await waymark([command])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give the folder of a run.'),
    });
    expect(await waymark([command, 'a', 'b'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('takes one run, but got 2'),
    });
    using folder = temporaryFolder();
    mkdirSync(path.join(folder.path, 'reports'));
    const empty = { format: 'waymark.run.v1', runId: 'r', startedAt: '2026-01-01T00:00:00Z', episodes: [] };
    writeFileSync(path.join(folder.path, 'run.json'), JSON.stringify(empty));
    expect(await waymark([command, folder.path])).toMatchObject({
      code: 2,
      err: expect.stringContaining('has no episodes'),
    });
    expect(existsSync(path.join(folder.path, 'report.json'))).toBe(false);
  });
});
