/** Which items of a run are shown, in the address, so that a filtered view can be shared as a link. */
import { given, oneOf, textOf } from '../ui/search.ts';

export const ITEM_STATUSES = ['pending', 'answered', 'error', 'missing'] as const;
/** Without one, failures come first. */
export const ITEM_SORTS = ['order', 'slowest'] as const;
export const VERDICTS = ['pass', 'fail', 'error', 'skipped', 'unscored'] as const;

export const runSearch = (search: Record<string, unknown>) =>
  given({
    status: oneOf(ITEM_STATUSES, search['status']),
    verdict: oneOf(VERDICTS, search['verdict']),
    section: textOf(search['section']),
    text: textOf(search['text']),
    sort: oneOf(ITEM_SORTS, search['sort']),
  });
export type RunSearch = ReturnType<typeof runSearch>;
