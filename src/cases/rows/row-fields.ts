/** Fields that rows of several benchmarks have, and the ids that tasks get from them. */
import { z } from 'zod';

export const rowText = z.string().min(1).max(4_000);

/** It becomes part of a file name: no path, no space at its ends. */
export const rowId = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/, {
    error: 'must be letters, digits, spaces, ".", "_" and "-", and begin and end with a letter or digit',
  })
  .refine((id) => !id.includes('..'), { error: 'must not hold ".."' });

export const webAddress = z
  .string()
  .max(4_000)
  .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), {
    error: 'must be an address of the web (http: or https:)',
  });

/** Task ids are lower-case and have no spaces: `webvoyager-bbc-news--20`. */
export function taskIdOf(format: string, id: string): string {
  return `${format}-${id.toLowerCase().replaceAll(' ', '-')}`;
}
