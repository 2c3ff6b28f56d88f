/** Changes of what is beside a journal: pictures, files that are made of it, grades, further attempts. */
import { copyFileSync, cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DIALOG, edit, event, FORM, remove, type Way } from './change.ts';

const pictureOf = (root: string): string => path.join(root, FORM, 'screenshots/001.jpg');

export const ATTEMPT_WAYS: readonly Way[] = [
  [
    'a picture',
    (root) => writeFileSync(pictureOf(root), Buffer.concat([readFileSync(pictureOf(root)), Buffer.from([0])])),
    true,
  ],
  [
    'a picture by another one',
    (root) => copyFileSync(path.join(root, FORM, 'screenshots/002.jpg'), pictureOf(root)),
    true,
  ],
  ['a picture removed', remove(`${FORM}/screenshots/001.jpg`), true],
  ['a picture put in', (root) => copyFileSync(pictureOf(root), path.join(root, FORM, 'screenshots/099.jpg')), true],
  [
    'a picture by a link',
    (root) => {
      const at = pictureOf(root);
      copyFileSync(at, path.join(root, 'elsewhere.jpg'));
      rmSync(at);
      symlinkSync(path.join(root, 'elsewhere.jpg'), at);
    },
    true,
  ],
  [
    'the hash of a picture',
    event(
      'screenshot',
      () => ({ hash: '0'.repeat(64) }),
      ({ ok }) => ok === true,
    ),
    true,
  ],
  [
    'the file of a picture',
    event(
      'screenshot',
      () => ({ file: 'screenshots/002.jpg' }),
      ({ file }) => file === 'screenshots/001.jpg',
    ),
    true,
  ],
  [
    'a number in metadata.json',
    edit(`${FORM}/metadata.json`, (text) => text.replace(/"total_steps": \d+/, '"total_steps": 1')),
    false,
  ],
  ['metadata.json removed', remove(`${FORM}/metadata.json`), false],
  ['a message', edit(`${DIALOG}/messages.jsonl`, (text) => text.replace('I have confirmed it.', 'I give up.')), false],
  [
    'a line of the ledger',
    edit(`${FORM}/ledger.jsonl`, (text) => text.replace('"status":"error"', '"status":"success"')),
    false,
  ],
  ['the ledger removed', remove(`${FORM}/ledger.jsonl`), false],
  [
    'a mark that it was never begun',
    (root) =>
      writeFileSync(path.join(root, DIALOG, 'not-begun.json'), '{"reason":"No server.","outcome":"server_error"}'),
    true,
  ],
  [
    'a grade put in',
    (root) =>
      writeFileSync(
        path.join(root, DIALOG, 'grades.jsonl'),
        `${JSON.stringify({ grader: 'mine', verdict: 'pass', score: 1, reasoning: 'Right.', details: {}, round: 1, at: 0 })}\n`,
      ),
    true,
  ],
  ['a grade that is none', (root) => writeFileSync(path.join(root, DIALOG, 'grades.jsonl'), 'pass\n'), true],
  [
    'a failure tried again',
    (root) => {
      cpSync(path.join(root, DIALOG), path.join(root, `${DIALOG}-attempt-2`), { recursive: true });
      event('start', () => ({ attempt: 2 }), undefined, `${DIALOG}-attempt-2`)(root);
    },
    true,
  ],
  [
    'an attempt of a task that was not planned',
    (root) => cpSync(path.join(root, DIALOG), path.join(root, 'episodes/other/trial-1'), { recursive: true }),
    true,
  ],
  [
    'a gap in the attempts',
    (root) => cpSync(path.join(root, DIALOG), path.join(root, `${DIALOG}-attempt-3`), { recursive: true }),
    true,
  ],
];
