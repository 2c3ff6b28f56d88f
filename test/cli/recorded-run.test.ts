import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FolderRunStore } from '../../src/runs/index.ts';
import { writeManifest } from '../../src/runs/integrity/manifest.ts';
import { type Folder, type Line, tamper, temporaryFolder, waymark } from './command-line.ts';
import { FORGERIES, rechain } from './forgeries.ts';
import { recordRun } from './record-run.ts';
import { changedFiles, filesOf, WAYS } from './tampering.ts';

let recorded: Folder;
beforeAll(async () => {
  recorded = temporaryFolder();
  await recordRun(recorded.path);
});
afterAll(() => recorded?.[Symbol.dispose]());

const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');
const journal = (folder: string, task = 'send-form'): string =>
  path.join(folder, 'episodes', task, 'trial-1', 'events.jsonl');

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

/** A difference names one of the files that were changed, or the attempt that it belongs to; a file that the manifest lists otherwise may be the manifest's. */
function expectNamed(out: string, files: readonly string[]): void {
  const { episodes, plan, report, integrity } = JSON.parse(out) as Verified;
  const attempts = episodes.filter(({ differences }) => differences.length > 0).map(({ folder }) => folder);
  const byManifest = integrity.differences.some(({ what }) => what === 'manifest') ? ['manifest.json'] : [];
  const inFiles = [...plan, ...report, ...integrity.differences].flatMap(({ file }) =>
    file === undefined ? [] : [file],
  );
  const named = [...inFiles, ...byManifest];
  const isNamed = (file: string): boolean =>
    named.includes(file) || attempts.some((folder) => file.startsWith(`${folder}/`));
  expect(files.some(isNamed), `${files.join(', ')} in ${[...named, ...attempts].join(', ')}`).toBe(true);
}

interface Verified {
  episodes: { folder: string; differences: object[] }[];
  plan: { file?: string }[];
  report: { file?: string }[];
  integrity: { differences: { file?: string; what: string }[]; notes: string[]; cannotProve: string[] };
}

describe('waymark verify', () => {
  test('an unchanged run is as recorded', async () => {
    const { code, out } = await waymark(['verify', recorded.path]);
    expect(code).toBe(0);
    expect(out).toContain('same     send-form  10 verdicts, 8 scores\n');
    expect(out).toContain('Everything is as recorded: 2 of 2 episodes, evaluated again.\n');
  });

  test('an unchanged run stays as it is, to the byte, and every file that is there is compared', async () => {
    using run = temporaryFolder(recorded.path);
    const before = filesOf(run.path);
    const { code, out } = await waymark(['verify', run.path, '--json']);
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      ok: true,
      evaluated: 2,
      plan: [],
      report: [],
      notes: [],
    });
    expect(filesOf(run.path)).toEqual(before);
  });

  test.each(WAYS)('finds a change: %s', async (_name, change, isFoundInRebuilt) => {
    using run = temporaryFolder(recorded.path);
    const before = filesOf(run.path);
    change(run.path);
    const { code, out } = await waymark(['verify', run.path, '--json']);
    expect(code).toBe(1);
    expectNamed(out, changedFiles(before, filesOf(run.path)));
    // By a person who knows the program; what is damaged can't be reported.
    if (isFoundInRebuilt && (await waymark(['report', run.path])).code === 0)
      expect(await waymark(['verify', run.path])).toMatchObject({ code: 1 });
  });

  test('says what it can not prove', async () => {
    const { out } = await waymark(['verify', recorded.path]);
    expect(out).toContain('hashes: 2 of 2 journals chained, ');
    expect(out).toContain(
      'What this does not prove:\n- The run is not signed: anyone with write access to its folder can change a journal and compute all hashes again. Sign a run to rule that out: waymark sign.\n- No hash shows that the browser, the sites or the harness did not deceive while the run was made.\n',
    );
  });

  test('a change of a journal is named by its line, even where everything after it fits', async () => {
    using run = temporaryFolder(recorded.path);
    const seq = tamper(
      journal(run.path, 'confirm-dialog'),
      ({ type }) => type === 'tool_call',
      (event) => ({ ...event, tool: 'find' }),
    );
    await waymark(['report', run.path]);
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(`episodes/confirm-dialog/trial-1/events.jsonl, chain\\n +recorded: line ${seq + 1}: [0-9a-f]{64}\\n`),
    );
  });

  const stepEval = (event: Line): boolean => event.type === 'contract_eval' && event['phase'] === 'step';
  test.each<[string, (event: Line) => boolean, (event: Line) => unknown, string]>([
    ['a verdict', stepEval, (event) => ({ ...event, verdict: 'pass' }), 'verdict'],
    [
      'a fact',
      (event) => event.type === 'evidence' && 'facts' in event,
      (event) => ({ ...event, facts: { ...Object(event['facts']), url: 'http://fixtures.waymark.test/form/done' } }),
      'evidence',
    ],
    ['a score', (event) => event.type === 'reward', (event) => ({ ...event, score: 0.9 }), 'reward'],
    [
      'what an error was',
      (event) => event.type === 'tool_result' && event['isError'] === true,
      (event) => ({ ...event, isError: false }),
      'reward',
    ],
    ['a state', (event) => event.type === 'evidence', (event) => ({ ...event, state: 'f'.repeat(32) }), 'state'],
    [
      'the contract',
      (event) => event.type === 'start',
      (event) => ({ ...event, task: { ...Object(event['task']), success: { kind: 'no_dialog' } } }),
      'contract_hash',
    ],
    [
      'the task',
      (event) => event.type === 'start',
      (event) => ({ ...event, task: { ...Object(event['task']), maxSteps: 99 } }),
      'task_hash',
    ],
  ])('%s that was changed is found, with its event', async (_name, fits, change, what) => {
    using run = temporaryFolder(recorded.path);
    const seq = tamper(journal(run.path), fits, change);
    const { code, out } = await waymark(['verify', run.path, '--json']);
    expect(code).toBe(1);
    const { ok, episodes } = JSON.parse(out) as {
      ok: boolean;
      episodes: { taskId: string; differences: { what: string; seq: number }[] }[];
    };
    expect(ok).toBe(false);
    const [first, second] = episodes;
    expect(second?.differences).toEqual([]);
    expect(first?.differences.map((difference) => difference.what)).toContain(what);
    // A changed event is found where it first has a consequence.
    expect(first?.differences[0]?.seq).toBeGreaterThanOrEqual(seq);
  });

  test.each<[string, (lines: Line[]) => Line[], RegExp]>([
    [
      'taken out',
      (lines) =>
        lines.toSpliced(
          lines.findIndex(({ type }) => type === 'reward'),
          1,
        ),
      /event \d+, reward\n {11}recorded: nothing\n {11}again: {4}\{"score":/,
    ],
    [
      'put in',
      (lines) => {
        const at = lines.findLastIndex(({ type }) => type === 'reward');
        return lines.toSpliced(at, 0, lines[at] as Line);
      },
      /event \d+, reward\n {11}recorded: \{"score":.*\n {11}again: {4}nothing\n/,
    ],
  ])('a score that was %s is found, although the numbering is complete', async (_name, change, found) => {
    using run = temporaryFolder(recorded.path);
    const lines = readFileSync(journal(run.path), 'utf8').trimEnd().split('\n');
    const changed = change(lines.map((line) => JSON.parse(line) as Line)).map((event, seq) => ({ ...event, seq }));
    writeFileSync(journal(run.path), changed.map((event) => `${JSON.stringify(event)}\n`).join(''));
    await waymark(['report', run.path]);
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toMatch(found);
  });

  test('a number that is missing is found', async () => {
    using run = temporaryFolder(recorded.path);
    const lines = readFileSync(journal(run.path), 'utf8').split('\n');
    writeFileSync(journal(run.path), lines.toSpliced(6, 1).join('\n'));
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toContain('is damaged at line 7');
    expect(out).toContain('expected event 6, found event 7.');
  });

  test('a failure that was made a success is found', async () => {
    using run = temporaryFolder(recorded.path);
    const file = journal(run.path, 'confirm-dialog');
    const seq = tamper(
      file,
      ({ type }) => type === 'stop',
      (event) => ({ ...event, status: 'passed' }),
    );
    // The report is rebuilt from the changed journals as well, as a forger would do.
    await waymark(['report', run.path]);
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toContain(
      `event ${seq}, status\n           recorded: passed\n           again:    the last verdicts are inconclusive (step) and inconclusive\n`,
    );
  });

  test('a missing or damaged journal is a difference, and the others are still evaluated', async () => {
    using run = temporaryFolder(recorded.path);
    rmSync(journal(run.path, 'confirm-dialog'));
    const gone = await waymark(['verify', run.path]);
    expect(gone.code).toBe(1);
    expect(gone.out).toContain('same     send-form');
    expect(gone.out).toContain('journal\n           recorded: in run.json\n           again:    not there\n');
    writeFileSync(journal(run.path, 'confirm-dialog'), 'nonsense\n');
    const damaged = await waymark(['verify', run.path]);
    expect(damaged.code).toBe(1);
    expect(damaged.out).toContain('damaged at line 1');
  });

  test('a report that was edited is found, with the line', async () => {
    using run = temporaryFolder(recorded.path);
    const file = path.join(run.path, 'report.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"passed": 1,', '"passed": 2,'));
    const { code, out } = await waymark(['verify', run.path]);
    expect(code).toBe(1);
    expect(out).toMatch(/report\.json, report\n {11}recorded: line \d+: "passed": 2,\n {11}again: {4}"passed": 1,/);
  });
});

describe('waymark sign', () => {
  const key = (): string => path.join(recorded.path, '..', `${path.basename(recorded.path)}-key.pem`);
  const publicKey = (): string => `${key()}.pub`;
  let signed: Folder;
  beforeAll(async () => {
    expect((await waymark(['sign', '--new-key', key()])).code).toBe(0);
    signed = temporaryFolder(recorded.path);
    expect(await waymark(['sign', signed.path, '--key', key()])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ files signed by the key [0-9a-f]{32}, 2\d{3}-/),
    });
  });
  afterAll(() => {
    signed?.[Symbol.dispose]();
    for (const file of [key(), publicKey()]) rmSync(file, { force: true });
  });
  const verifySigned = (folder: string) => waymark(['verify', folder, '--public-key', publicKey(), '--json']);

  test('a signed run verifies with the public key, and stays as it is when its reports are made again', async () => {
    using run = temporaryFolder(signed.path);
    const before = filesOf(run.path);
    expect(await waymark(['report', run.path])).toMatchObject({ code: 0 });
    expect(filesOf(run.path)).toEqual(before);
    const { code, out } = await verifySigned(run.path);
    expect({ code, ...JSON.parse(out).integrity }).toMatchObject({
      code: 0,
      differences: [],
      signed: { isTrusted: true },
      cannotProve: [
        'When it was signed is the signer’s own word, and a signature says who, not that what was signed is true.',
        'No hash shows that the browser, the sites or the harness did not deceive while the run was made.',
      ],
    });
    const untrusted = await waymark(['verify', run.path]);
    expect(untrusted).toMatchObject({ code: 0, out: expect.stringContaining('The signature names its own key (') });
  });

  test('grades can be added to a signed run: it stays valid, and they are not covered', async () => {
    using run = temporaryFolder(signed.path);
    const grade = ['grade', run.path, '--grader', 'contract'];
    expect(await waymark(grade)).toMatchObject({ code: 0 });
    const grades = path.join(path.dirname(journal(run.path)), 'grades.jsonl');
    expect(existsSync(grades)).toBe(true);
    const { code, out } = await verifySigned(run.path);
    const { integrity } = JSON.parse(out) as Verified;
    expect({ code, differences: integrity.differences }).toEqual({ code: 0, differences: [] });
    expect(integrity.notes[0]).toContain('episodes/send-form/trial-1/grades.jsonl');
    expect(integrity.cannotProve).toContain('Grades that were added after the signing are not covered by it.');
    // Signed once more, it covers them: now they can't be changed, whoever computes their chain again.
    expect(await waymark(['sign', run.path, '--key', key()])).toMatchObject({ code: 0 });
    expect((await verifySigned(run.path)).code).toBe(0);
    writeFileSync(grades, readFileSync(grades, 'utf8').replace('"verdict":"pass"', '"verdict":"fail"'));
    rechain(grades, journal(run.path));
    await waymark(['report', run.path]);
    const changed = await verifySigned(run.path);
    expect(changed.code).toBe(1);
    expectNamed(changed.out, ['episodes/send-form/trial-1/grades.jsonl']);
  });

  test.each(FORGERIES)('finds what someone who knows the program changed: %s', async (_name, change) => {
    using run = temporaryFolder(signed.path);
    const before = filesOf(run.path);
    await change(run.path, signed.path);
    const { code, out } = await verifySigned(run.path);
    expect(code).toBe(1);
    expectNamed(out, changedFiles(before, filesOf(run.path)));
  });

  test('no attempts are added to a signed run', async () => {
    using run = temporaryFolder(signed.path);
    const { plan } = JSON.parse(read(run.path, 'run.json')) as { plan: { runId: string; cells: never[] } };
    using store = new FolderRunStore(run.path);
    await store.reopen(plan.runId, plan.cells);
    await expect(store.claim(plan.runId, 'w', 1)).rejects.toMatchObject({ code: 'usage_run_signed' });
  });

  test('signs nothing that does not verify or has not ended, and takes only Ed25519 keys', async () => {
    using run = temporaryFolder(recorded.path);
    tamper(
      journal(run.path),
      ({ type }) => type === 'tool_call',
      (event) => ({ ...event, tool: 'find' }),
    );
    expect(await waymark(['sign', run.path, '--key', key()])).toMatchObject({
      code: 1,
      out: `The run ${run.path} is not as recorded, and was not signed.\nwaymark verify ${run.path} says what differs.\n`,
    });
    expect(existsSync(path.join(run.path, 'manifest.sig.json'))).toBe(false);
    const { endedAt: _endedAt, ...cutOff } = JSON.parse(read(run.path, 'run.json'));
    writeFileSync(path.join(run.path, 'run.json'), JSON.stringify(cutOff));
    expect(await waymark(['sign', run.path, '--key', key()])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`The run ${run.path} has not ended, and can't be signed.`),
    });
    const rsa = path.join(run.path, 'rsa.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(rsa, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await waymark(['sign', run.path, '--key', rsa])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`The key ${rsa} is of the type rsa, not Ed25519.`),
    });
    expect(await waymark(['sign', run.path])).toMatchObject({ code: 2, err: expect.stringContaining('Give the key') });
    expect(await waymark(['sign', '--new-key', key()])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${key()} exists already. Nothing was written over.`),
    });
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
