/** A task by its content: results name it, so that two runs of "the same" task are known to be that. */
import canonicalize from 'canonicalize';
import { sha256Hex } from '../../hashes/index.ts';
import type { EpisodeTaskSpec } from './task.ts';

/** Without what is only said about it: that a task is counted apart for a while, or stands in another file, does not make it another task. */
export function taskHash({
  quarantine: _quarantine,
  holdsAtStart: _holdsAtStart,
  source: _source,
  ...task
}: EpisodeTaskSpec): string {
  return sha256Hex(canonicalize(task) ?? '');
}
