/** Names of files that are kept with an attempt: relative, with `/`, and never out of the attempt's own folder. */
import { WaymarkError } from '../errors/index.ts';

const PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** @throws where the key could lead anywhere else. */
export function artifactParts(key: string): string[] {
  const parts = key.split('/');
  if (parts.length <= 8 && parts.every((part) => PART.test(part))) return parts;
  throw new WaymarkError({
    code: 'bad_artifact_key',
    message: `"${key.slice(0, 200)}" is no name of a file of an attempt.`,
    hint: 'Use letters, digits, ".", "_" and "-", with "/" between folders.',
  });
}
