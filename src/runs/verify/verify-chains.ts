/** The hash chains of a run's journals, and of the grades beside them. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type ReadChain, readChain } from '../../journal/index.ts';
import { GRADES_FILE, JOURNAL_FILE } from '../folder/attempt-folders.ts';
import { gradesSeed } from '../folder/grades-file.ts';
import type { Discrepancy } from './discrepancy.ts';

export interface VerifiedChains {
  differences: Discrepancy[];
  /** Journals with a whole line, and those of them whose every line is chained. */
  journals: number;
  chained: number;
}

export async function verifyChains(root: string): Promise<VerifiedChains> {
  const found: VerifiedChains = { differences: [], journals: 0, chained: 0 };
  for (const folder of attemptFolders(root)) {
    const journal = path.join(root, folder, JOURNAL_FILE);
    const isThere = existsSync(journal);
    if (isThere) {
      const read = await readChain(journal);
      if (read.lines > 0) found.journals++;
      if (read.lines > 0 && read.chained === read.lines) found.chained++;
      found.differences.push(...breaksOf(`${folder}/${JOURNAL_FILE}`, read));
    }
    const grades = path.join(root, folder, GRADES_FILE);
    if (!existsSync(grades)) continue;
    const seed = gradesSeed(grades);
    const read = await readChain(grades, { seed });
    found.differences.push(...breaksOf(`${folder}/${GRADES_FILE}`, read));
    // Who writes a chained journal writes chained grades.
    if (seed !== '' && read.lines > 0 && read.chained === 0)
      found.differences.push(difference(`${folder}/${GRADES_FILE}`, 'no hash in any line', 'chained to its journal'));
  }
  return found;
}

function breaksOf(file: string, { breaks }: ReadChain): Discrepancy[] {
  return breaks.map(({ line, recorded, again }) => difference(file, `line ${line}: ${recorded}`, again));
}

function difference(file: string, recorded: string, again: string): Discrepancy {
  return { what: 'chain', file, recorded, again };
}

function* attemptFolders(root: string): Generator<string, void, undefined> {
  for (const name of foldersIn(path.join(root, 'episodes')))
    for (const attempt of foldersIn(path.join(root, 'episodes', name))) yield `episodes/${name}/${attempt}`;
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}
