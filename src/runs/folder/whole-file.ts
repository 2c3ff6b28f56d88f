/** A small file that several processes compete for: it is created and replaced in one step, and by one of them only. */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errnoOf, fileNotWritten } from '../../journal/index.ts';

/** False where the file is there. Nobody ever reads a part of it: a file that is only begun would look like one that was left behind. */
export function createWhole(file: string, text: string): boolean {
  const made = `${file}.${randomUUID()}`;
  try {
    writeFileSync(made, text);
    linkSync(made, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    return createPlain(file, text);
  } finally {
    rmSync(made, { force: true });
  }
}

/**
 * Replaces the file where it still holds `left`. Of several processes that have read the same, one succeeds: the one that creates the file that
 * is named after what they have read. The others would replace what that one has just written.
 */
export function replaceWhole(file: string, left: string, text: string): boolean {
  const next = successorOf(file, left);
  if (!createWhole(next, text)) return false;
  if (readOrNothing(file) !== left) {
    rmSync(next, { force: true });
    return false;
  }
  renameSync(next, file);
  return readOrNothing(file) === text;
}

/** The file that decides who replaces what was read. A kill in the middle of a replacement leaves it. */
export function successorOf(file: string, left: string): string {
  return `${file}.after-${createHash('sha256').update(left).digest('hex').slice(0, 16)}`;
}

/** Removes the file if it is no longer needed. It is taken away first: meanwhile it may have become another. */
export function removeWhole(file: string, isNeeded: (text: string) => boolean): void {
  const taken = `${file}.${randomUUID()}`;
  try {
    renameSync(file, taken);
    if (isNeeded(readOrNothing(taken))) linkSync(taken, file);
  } catch {
    // It is gone already, or is there again.
  } finally {
    rmSync(taken, { force: true });
  }
}

export function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // There is no such file.
    return '';
  }
}

/** For file systems without hard links. */
function createPlain(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw fileNotWritten(file, error);
  }
}
