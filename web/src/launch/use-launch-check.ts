/** Asks the server, at each change, what would keep the launch from being made or scored. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { isAboutJudge } from '../api/judge-codes.ts';
import { useSettled } from '../ui/use-settled.ts';
import { type LaunchDraft, requestOf } from './launch-draft.ts';

export interface LaunchCheck {
  /** Of what stands in the fields now; undefined while nothing is known. */
  readonly verdict: Answer<'post', '/runs/preflight'> | undefined;
  readonly needsJudge: boolean;
  readonly isChecking: boolean;
  readonly error: unknown;
}

export function useLaunchCheck(draft: LaunchDraft): LaunchCheck {
  // The model's name is the provider's affair: whether a judge is needed can be known before it is written.
  const request = requestOf({ ...draft, model: draft.model.trim() || 'any' });
  const wanted = request && JSON.stringify(request);
  const settled = useSettled(wanted);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['launch', 'preflight', settled],
    queryFn:
      settled === undefined
        ? skipToken
        : ({ signal }) => call('post', '/runs/preflight', { json: JSON.parse(settled), signal }),
    placeholderData: keepPreviousData,
  });
  const isKnown = settled !== undefined && data !== undefined && error === null;
  const verdict = isKnown ? data : undefined;
  return {
    verdict: isPlaceholderData ? undefined : verdict,
    needsJudge:
      verdict !== undefined &&
      (verdict.blockers.some(({ code }) => isAboutJudge(code)) || (verdict.scoring?.judge_required ?? 0) > 0),
    isChecking: wanted !== settled || isPlaceholderData || (settled !== undefined && data === undefined && !error),
    error: settled === undefined ? null : error,
  };
}
