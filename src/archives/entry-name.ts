/** Names inside an archive. Only the expected names are read; a hostile name is refused with a rule that names the attack. */
import { isUtf8 } from 'node:buffer';
import { unsafe } from './archive-problem.ts';

export function checkName<Name extends string>(raw: Buffer, allowed: readonly Name[]): Name {
  // Quoted as JSON, so that no control character reaches a log or a page.
  const shown = JSON.stringify(raw.toString('latin1').slice(0, 80));
  if (!isUtf8(raw)) throw unsafe('name_encoding', '', `a name is not UTF-8: ${shown}.`);
  const name = raw.toString('utf8');
  if (name.includes('\0')) throw unsafe('name_nul', '', `a name contains NUL: ${shown}.`);
  if (name.includes('\\')) throw unsafe('name_backslash', '', `a name contains a backslash: ${shown}.`);
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name))
    throw unsafe('name_absolute', '', `a name is absolute: ${shown}.`);
  if (name.split('/').includes('..')) throw unsafe('name_traversal', '', `a name leaves the archive folder: ${shown}.`);
  if (name.endsWith('/')) throw unsafe('folder', '', `there is a folder: ${shown}.`);
  const known = allowed.find((one) => one === name);
  if (known === undefined) {
    throw unsafe('name_not_allowed', '', `there is a file ${shown}; only ${allowed.join(', ')} are expected.`);
  }
  return known;
}
