/** The journal's errors: the file, the reason, and what to do. */
import { messageOf, WaymarkError } from '../errors/index.ts';

const REASONS: Record<string, readonly [reason: string, hint: string]> = {
  ENOSPC: ['the disk is full', 'Free some space, or write to another disk, and run the same command again.'],
  EDQUOT: [
    'your quota on this disk is used up',
    'Free some space, or write to another disk, and run the same command again.',
  ],
  EFBIG: [
    'the file has the largest size that this system allows',
    'Raise the limit on file sizes (ulimit -f), and run the same command again.',
  ],
  EROFS: ['the disk is read-only', 'Choose a folder that can be written to.'],
  EACCES: ['permission is denied', 'Choose a folder that you may write to.'],
  EPERM: ['permission is denied', 'Choose a folder that you may write to.'],
  EIO: [
    'the disk reports an input/output error',
    'Check the disk, or write to another one, and run the same command again.',
  ],
  ENOENT: ['its folder does not exist', 'Create the folder first.'],
  ENOTDIR: ['its folder is a file', 'Choose another folder.'],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n), or run fewer episodes at once.'],
};

export function errnoOf(thrown: unknown): string | undefined {
  const code: unknown = Reflect.get(Object(thrown), 'code');
  return typeof code === 'string' ? code : undefined;
}

/** A sentence part for the common error codes of the system; otherwise the system's message. */
export function reasonOf(thrown: unknown): string {
  const code = errnoOf(thrown);
  const known = REASONS[code ?? ''];
  return known === undefined ? messageOf(thrown) : `${known[0]} (${code})`;
}

/** Without its files there is no evidence of an attempt, and the next attempt's files could not be written either. */
export function isWriteFailure(thrown: unknown): thrown is WaymarkError {
  return (
    thrown instanceof WaymarkError && (thrown.code === 'journal_write_failed' || thrown.code === 'file_write_failed')
  );
}

/** `note` describes the state of the file. */
export function writeFailed(file: string, cause: unknown, note = ''): WaymarkError {
  return new WaymarkError({
    code: 'journal_write_failed',
    message: `The journal ${file} could not be written: ${reasonOf(cause)}.${note === '' ? '' : ` ${note}`}`,
    hint: REASONS[errnoOf(cause) ?? '']?.[1] ?? 'Check the disk and the folder, and run the same command again.',
    cause,
  });
}

/** For a file next to the journals. */
export function fileNotWritten(file: string, cause: unknown): WaymarkError {
  return new WaymarkError({
    code: 'file_write_failed',
    message: `${file} could not be written: ${reasonOf(cause)}.`,
    hint: REASONS[errnoOf(cause) ?? '']?.[1] ?? 'Check the disk and the folder, and run the same command again.',
    cause,
  });
}

export function corrupt(file: string, at: { line: number; offset: number }, what: string): WaymarkError {
  return new WaymarkError({
    code: 'journal_corrupt',
    message: `The journal ${file} is damaged at line ${at.line} (byte ${at.offset}): ${what}.`,
    hint: 'A crash can only leave an incomplete last line, so something else changed the file. Restore it from a copy, or run the episode again.',
  });
}
