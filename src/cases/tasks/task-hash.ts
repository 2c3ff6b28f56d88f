/** A task by its content: results name it, so that two runs of "the same" task are known to be that. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import type { EpisodeTaskSpec } from './task.ts';

export function taskHash(task: EpisodeTaskSpec): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalize(task) ?? '')));
}
