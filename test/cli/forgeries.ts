/** Changes of a signed run by somebody who knows the program and computes every hash again. */
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HashChain, readLastHash, unchained } from '../../src/journal/index.ts';
import { writeReports } from '../../src/runs/index.ts';
import { manifestBytes, writeManifest } from '../../src/runs/integrity/manifest.ts';
import { signManifest } from '../../src/runs/integrity/signature.ts';
import { tamper } from './command-line.ts';

const FORM = 'episodes/send-form/trial-1';
const DIALOG = 'episodes/confirm-dialog/trial-1';

/** Gives the run's folder to what changes it. */
type Forgery = (root: string, original: string) => void | Promise<void>;

/** Computes the hashes of a file anew. `journal`: that of the attempt, where the file has its grades. */
export function rechain(file: string, journal?: string): void {
  const chain = new HashChain(journal === undefined ? '' : readLastHash(journal));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, lines.map((line) => `${chain.add(unchained(line))}\n`).join(''));
}

const runIdOf = (root: string): string => JSON.parse(readFileSync(path.join(root, 'run.json'), 'utf8')).plan.runId;
const edit = (root: string, file: string, change: (text: string) => string): void =>
  writeFileSync(path.join(root, file), change(readFileSync(path.join(root, file), 'utf8')));

/** A journal with its chain, the reports and the manifest made of it. Only the signature can tell. */
const forge =
  (change: (root: string) => void): Forgery =>
  async (root) => {
    change(root);
    await writeReports(root);
    writeManifest(root, runIdOf(root));
  };
const called = (root: string): void => {
  const file = path.join(root, DIALOG, 'events.jsonl');
  tamper(
    file,
    ({ type }) => type === 'tool_call',
    (event) => ({ ...event, arguments: { deep: true } }),
  );
  rechain(file);
};
const signature =
  (change: (signed: Record<string, string>) => object): Forgery =>
  (root) =>
    edit(root, 'manifest.sig.json', (text) => JSON.stringify(change(JSON.parse(text))));

export const FORGERIES: readonly (readonly [name: string, change: Forgery])[] = [
  ['the arguments of a call, all hashes computed again', forge(called)],
  [
    'the answer, all hashes computed again',
    forge((root) => {
      const file = path.join(root, DIALOG, 'events.jsonl');
      tamper(
        file,
        ({ type }) => type === 'stop',
        (event) => ({ ...event, answer: 'Another one.' }),
      );
      rechain(file);
    }),
  ],
  [
    'a journal without its chain, and no manifest',
    (root) => {
      for (const folder of [FORM, DIALOG])
        edit(root, `${folder}/events.jsonl`, (text) => text.split('\n').map(unchained).join('\n'));
      rmSync(path.join(root, 'manifest.json'));
      rmSync(path.join(root, 'manifest.sig.json'));
    },
  ],
  [
    'when the run ended, with a new manifest',
    forge((root) => edit(root, 'run.json', (text) => text.replace(/"endedAt": "20../, '"endedAt": "2020'))),
  ],
  [
    'the length of an oracle, with a new manifest',
    forge((root) => edit(root, 'run.json', (text) => text.replace('"send-form": 5', '"send-form": 1'))),
  ],
  [
    'a line cut off a journal, with a new manifest',
    forge((root) =>
      edit(root, `${DIALOG}/events.jsonl`, (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`),
    ),
  ],
  ['the manifest', (root) => edit(root, 'manifest.json', (text) => text.replace('"format"', ' "format"'))],
  [
    'another signer',
    async (root) => {
      await forge(called)(root, root);
      const key = generateKeyPairSync('ed25519').privateKey;
      signManifest(root, { runId: runIdOf(root), manifest: manifestBytes(root) ?? Buffer.alloc(0), key, now: 0 });
    },
  ],
  ['the signature removed', (root) => rmSync(path.join(root, 'manifest.sig.json'))],
  ['a signature that is none', signature(() => ({ signed: true }))],
  ['when it was signed', signature((signed) => ({ ...signed, signedAt: '2020-01-01T00:00:00.000Z' }))],
  [
    'the bytes of the signature',
    signature((signed) => ({ ...signed, signature: `AAAA${signed['signature']?.slice(4)}` })),
  ],
  ['the name of the key', signature((signed) => ({ ...signed, keyId: '0'.repeat(32) }))],
  ['the run that was signed', signature((signed) => ({ ...signed, runId: 'another' }))],
  [
    'the key of the signature',
    signature((signed) => ({
      ...signed,
      publicKey: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }),
    })),
  ],
  ['the manifest removed', (root) => rmSync(path.join(root, 'manifest.json'))],
  [
    'a picture and its hash in the journal',
    forge((root) =>
      copyFileSync(path.join(root, FORM, 'screenshots/002.jpg'), path.join(root, FORM, 'screenshots/001.jpg')),
    ),
  ],
  ['a report', (root) => appendFileSync(path.join(root, 'report.html'), ' ')],
  ['a file put beside a journal', (root) => writeFileSync(path.join(root, FORM, 'notes.txt'), 'Mine.')],
  ['more cells', (root) => writeFileSync(path.join(root, 'cells.jsonl'), '{"caseId":"send-form","trial":2}\n')],
  [
    'a report by a link',
    (root, original) => {
      rmSync(path.join(root, 'report.md'));
      symlinkSync(path.join(original, 'report.md'), path.join(root, 'report.md'));
    },
  ],
  [
    'grades that are not chained to the journal',
    (root) => {
      const grade = { grader: 'mine', verdict: 'pass', score: 1, reasoning: 'Right.', details: {}, round: 1, at: 0 };
      writeFileSync(
        path.join(root, DIALOG, 'grades.jsonl'),
        `${new HashChain('0'.repeat(64)).add(JSON.stringify(grade))}\n`,
      );
    },
  ],
];
