/** The page as the reward reads it, from a journal's events. */

import type { PageState } from '../reward/index.ts';
import type { EventOf, NewEvent } from './events.ts';

export type EvidenceBody = NewEvent<'evidence'>;

/** The page as the reward reads it, from the event alone: live and replayed scores are the same. */
export function pageStateOf(event: EvidenceBody | EventOf<'evidence'>): PageState {
  const { url, digests, regions, attention, counters, status, redirected, features } = event;
  return {
    url,
    ...(digests ? { domDigest: digests.dom, textDigest: digests.text, refsDigest: digests.actionable } : {}),
    ...(regions ? { regions } : {}),
    ...(attention ? { attention } : {}),
    dialogs: counters.dialogs,
    network: { requests: counters.network, failed: counters.failed, writes: counters.writes },
    ...(status === undefined ? {} : { status }),
    ...(redirected === undefined ? {} : { redirected }),
    ...(features === undefined ? {} : { features }),
  };
}
