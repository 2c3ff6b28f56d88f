/** `waymark sign`, and what a signature shows that hashes alone do not. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FolderRunStore } from '../../src/runs/index.ts';
import { type Folder, tamper, temporaryFolder, waymark } from './command-line.ts';
import { FORGERIES, rechain } from './forgeries.ts';
import { journal, recordRun } from './record-run.ts';
import { changedFiles, filesOf } from './tampering/changed-files.ts';
import { expectNamed, type Verified } from './tampering/expect-named.ts';

let recorded: Folder;
beforeAll(async () => {
  recorded = temporaryFolder();
  await recordRun(recorded.path);
});
afterAll(() => recorded?.[Symbol.dispose]());

const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');

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
