/** Where a program is that a user has named, as a shell would find it: a path as it is, a bare name in the folders of PATH. */
import path from 'node:path';
import { isExecutable } from '../../chromium/index.ts';

export interface SearchPlaces {
  readonly PATH: string | undefined;
  /** A relative path is relative to this; by default to the working folder. */
  readonly folder?: string;
}

/** Its absolute path; undefined where no such file can be run. */
export function findExecutable(file: string, { PATH = '', folder = '' }: SearchPlaces): string | undefined {
  const places = file.includes(path.sep) ? [folder] : PATH.split(path.delimiter).filter((part) => part !== '');
  return places.map((place) => path.resolve(place, file)).find(isExecutable);
}
