/** Transcripts that the author of a suite keeps beside its tasks: solutions that must pass too, and near misses that must not. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readTranscript, type Transcript } from '../../agents/transcript.ts';

const GIVEN_FOLDERS = { solution: 'solutions', near_miss: 'near-misses' } as const;

export interface GivenTranscript {
  kind: keyof typeof GIVEN_FOLDERS;
  /** Relative to the folder of the tasks. */
  file: string;
  transcript: Transcript;
}

/** None where a folder is not there. */
export function givenTranscripts(folder: string): GivenTranscript[] {
  return (Object.keys(GIVEN_FOLDERS) as GivenTranscript['kind'][]).flatMap((kind) =>
    jsonFilesIn(path.join(folder, GIVEN_FOLDERS[kind])).map((name) => {
      const file = path.join(GIVEN_FOLDERS[kind], name);
      return { kind, file, transcript: readTranscript(path.join(folder, file)) };
    }),
  );
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
