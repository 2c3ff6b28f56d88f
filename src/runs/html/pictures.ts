/** Which pictures go into the file. Those that did not pass come first: they are what a reader opens. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HTML_LIMITS } from '../../view/index.ts';

export interface WantedPictures {
  /** The episode's folder. */
  folder: string;
  success: boolean;
  /** Distinct files, relative to the folder, in the order they were taken. */
  files: readonly string[];
}

export interface GrantedPictures {
  /** By file: its data URI. */
  uris: ReadonlyMap<string, string>;
  /** How many of the episode's pictures are not in the file, because of a bound. */
  leftOut: number;
}

type Limits = Pick<typeof HTML_LIMITS, 'pictureBytes' | 'episodesWithPictures' | 'picturesPerEpisode'>;

/** What the journal names is not trusted to be a path: pictures are files of one folder. */
const PICTURE = /^screenshots\/[\w-]+\.(jpg|png|webp)$/;
const TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

export function grantPictures(
  wanted: readonly WantedPictures[],
  limits: { [K in keyof Limits]: number } = HTML_LIMITS,
): GrantedPictures[] {
  let bytes = limits.pictureBytes;
  let episodes = limits.episodesWithPictures;
  const granted = wanted.map(({ files }): GrantedPictures => ({ uris: new Map(), leftOut: files.length }));
  for (const index of failedFirst(wanted)) {
    const { folder, files } = wanted[index] as WantedPictures;
    if (files.length === 0) continue;
    if (episodes === 0) break;
    episodes--;
    const uris = new Map<string, string>();
    let leftOut = 0;
    for (const file of files) {
      const data = uris.size < limits.picturesPerEpisode ? pictureAt(folder, file) : undefined;
      if (data === undefined || data.length > bytes) {
        // A picture that was removed is left out; one that is there and does not fit is reported.
        if (PICTURE.test(file) && existsSync(path.join(folder, file))) leftOut++;
        continue;
      }
      bytes -= data.length;
      uris.set(file, `data:${TYPES[path.extname(file).slice(1)]};base64,${data.toString('base64')}`);
    }
    granted[index] = { uris, leftOut };
  }
  return granted;
}

/** The places of a list, those that did not pass first. */
function failedFirst(episodes: readonly { success: boolean }[]): number[] {
  return [...episodes.keys()].sort((a, b) => Number(episodes[a]?.success) - Number(episodes[b]?.success) || a - b);
}

function pictureAt(folder: string, file: string): Buffer | undefined {
  if (!PICTURE.test(file)) return undefined;
  try {
    return readFileSync(path.join(folder, file));
  } catch {
    // A picture whose file is gone is left out of the page.
    return undefined;
  }
}
