/** Names of artifacts. What passes here can't leave the folder, whatever the file system makes of it. */
import { WaymarkError } from '../../errors/index.ts';

/** No dot first: no `..`, nothing hidden, no name of a temporary file. No backslash, colon, NUL or space. */
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const LONGEST = 500;

/** `runs/42/page.png`, given back as it is, or an error. */
export function checkArtifactKey(key: string): string {
  if (key.length <= LONGEST && key.split('/').every((segment) => SEGMENT.test(segment))) return key;
  throw new WaymarkError({
    code: 'artifact_key_invalid',
    message: `"${key.slice(0, 100)}" can't be the name of an artifact.`,
    hint: 'Letters, digits, ".", "_" and "-", in parts separated by "/"; no part begins with a dot.',
  });
}

/** A prefix for listing: whole parts, as in `runs/42`, or nothing. */
export function checkArtifactPrefix(prefix: string): string {
  return prefix === '' ? '' : checkArtifactKey(prefix);
}

/** Where content of this hash lies. Two letters first: no folder grows too large. */
export function contentKey(sha256: string, extension = ''): string {
  return checkArtifactKey(`sha256/${sha256.slice(0, 2)}/${sha256}${extension && `.${extension}`}`);
}
