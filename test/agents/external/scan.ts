/** Looks for values in all files below a folder, as they are and in other forms. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export function filesWith(folder: string, values: readonly string[]): string[] {
  const forms = values.flatMap((value) => [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return forms.some((form) => bytes.includes(form));
    });
}
