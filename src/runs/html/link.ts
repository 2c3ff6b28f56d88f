import path from 'node:path';

/** A path of the run's folder, as an address beside the report. */
export function linkTo(file: string): string {
  return file.split(path.sep).map(encodeURIComponent).join('/');
}
