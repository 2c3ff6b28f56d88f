/** Asks the server, at each change, what would keep the pack from being made. */
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { type Answer, ApiProblem } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { useSettled } from '../ui/use-settled.ts';
import { type Draft, millisecondsOf } from './draft.ts';
import { type Blocker, blockersOf, originOf, packRequest, partOf } from './pack-request.ts';

type Verdict = Answer<'post', '/browser-harness/preflight'>;

export interface Preflight {
  readonly blockers: readonly Blocker[];
  readonly warnings: Verdict['warnings'];
  /** Of the pack, when it can be made. */
  readonly items: number | undefined;
  readonly scoring: Verdict['scoring'];
  /** An answer is on its way, or the fields have changed since. */
  readonly isChecking: boolean;
  readonly isReady: boolean;
  /** The server could not be asked. */
  readonly error: unknown;
  readonly again: () => Promise<unknown>;
}

export function usePreflight(draft: Draft, needsJudge: boolean): Preflight {
  const own = blockersOf(draft, needsJudge);
  const request = requestOf(draft, needsJudge);
  const settled = useSettled(request);
  const { data, error, isPlaceholderData, refetch } = useQuery(preflightQuery(settled));
  const refused = error instanceof ApiProblem && error.status >= 400 && error.status < 500 ? refusals(error) : [];
  const served = settled === undefined ? [] : (data?.blockers ?? []).map((one) => ({ ...one, part: partOf(one.code) }));
  const isServed = ({ code }: Blocker) => served.some((blocker) => blocker.code === code);
  // What both say is said once: about judges by the server, which knows the items, about the rest by the page, which knows the fields.
  const mine = own.filter((blocker) => blocker.part !== 'judge' || !isServed(blocker));
  const others = served.filter(({ code }) => !mine.some((blocker) => blocker.code === code));
  const blockers = [...mine, ...others, ...refused];
  const isWaiting = settled !== undefined && (isPlaceholderData || (data === undefined && error === null));
  const isChecking = settled !== request || isWaiting;
  const isAnswered = data !== undefined && !isPlaceholderData && settled !== undefined;
  return {
    blockers,
    warnings: isAnswered ? data.warnings : [],
    items: isAnswered && data.scoring !== null ? data.items : undefined,
    scoring: isAnswered ? data.scoring : null,
    isChecking,
    isReady: isAnswered && data.ready && blockers.length === 0 && !isChecking,
    error: refused.length > 0 ? null : error,
    again: async () => settled !== undefined && (await refetch()),
  };
}

/** Whether the scope needs a judge, whatever the target is. Undefined: not known yet. */
export function useNeedsJudge({ datasetId, sections, maxItems }: Draft): boolean | undefined {
  const isAskable = datasetId !== '' && sections?.length !== 0 && /^([1-9]\d*)?$/.test(maxItems.trim());
  const request = {
    dataset_id: datasetId,
    ...(sections ? { sections } : {}),
    ...(maxItems.trim() === '' ? {} : { max_items: Number(maxItems) }),
    target: { preset: 'chatgpt', origin: 'https://chatgpt.com' },
  };
  const settled = useSettled(isAskable ? JSON.stringify(request) : undefined);
  const { data } = useQuery(preflightQuery(settled));
  return (
    data && (data.blockers.some(({ code }) => code === 'judge_required') || (data.scoring?.judge_required ?? 0) > 0)
  );
}

function preflightQuery(request: string | undefined) {
  return queryOptions({
    queryKey: ['browser-harness', 'preflight', request],
    queryFn:
      request === undefined
        ? skipToken
        : ({ signal }) => call('post', '/browser-harness/preflight', { json: JSON.parse(request), signal }),
    placeholderData: keepPreviousData,
  });
}

/** As JSON. Undefined where it would be refused for its form: what is wrong stands at the fields already. */
function requestOf(draft: Draft, needsJudge: boolean): string | undefined {
  const request = packRequest(draft, needsJudge);
  const isAskable =
    draft.datasetId !== '' &&
    draft.sections?.length !== 0 &&
    /^([1-9]\d*)?$/.test(draft.maxItems.trim()) &&
    originOf(request.target.origin) === request.target.origin &&
    Object.values(request.target.selectors ?? {}).every(
      (list) => list.length <= 10 && list.every(({ length }) => length <= 500),
    );
  const quiet_ms = millisecondsOf(draft.timing.quiet);
  return isAskable ? JSON.stringify({ ...request, ...(quiet_ms === undefined ? {} : { quiet_ms }) }) : undefined;
}

function refusals({ code, message, hint, issues }: ApiProblem): Blocker[] {
  if (issues.length === 0) return [{ code, message, fix: hint ?? null, part: partOf(code) }];
  return issues.map((issue) => ({
    code: issue.code,
    message: `${issue.path}: ${issue.message}`,
    fix: hint ?? null,
    part: /^target/.test(issue.path) ? 'target' : /^judge/.test(issue.path) ? 'judge' : 'scope',
  }));
}
