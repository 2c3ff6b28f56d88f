/** ATIF trajectories of a run: `<folder>/<case>/trial-<n>/trajectory.json`, with the pictures that it names beside it. */
import path from 'node:path';
import { putJson } from '../../journal/index.ts';
import { atifDocument, picturesIn } from './atif-document.ts';
import { copyPicture, makeFolder } from './export-files.ts';
import { type Exported, exportedAttempts, refuseQuestions } from './exported-attempts.ts';

export async function exportAtif(root: string, out: string): Promise<Exported> {
  refuseQuestions(root, 'atif');
  let attempts = 0;
  for await (const attempt of exportedAttempts(root)) {
    const folder = path.join(out, path.relative('episodes', attempt.folder));
    const document = atifDocument(attempt);
    makeFolder(folder);
    for (const picture of picturesIn(document))
      copyPicture(path.join(root, attempt.folder), picture, path.join(folder, picture));
    putJson(path.join(folder, 'trajectory.json'), document);
    attempts++;
  }
  return { format: 'atif', attempts, to: out };
}
