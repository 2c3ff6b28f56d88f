/** Tokens, cost, time and claims as words. What is unknown is called so. */
import type { EpisodeResult, UsageTotals } from '../events/index.ts';

export const UNKNOWN = 'unknown';
const NONE = '–';

/** @example tokenText(12_345) // => '12,345' */
export function tokenText(tokens: number | null): string {
  return tokens === null ? UNKNOWN : tokens.toLocaleString('en-US');
}

/** @example costText(0.00042) // => '$0.00042' */
export function costText(usd: number | null): string {
  if (usd === null) return UNKNOWN;
  return `$${usd === 0 || usd >= 1 ? usd.toFixed(2) : Number(usd.toPrecision(2)).toString()}`;
}

/** A dash where no model was called. */
export function usedTokens(usage: UsageTotals | null | undefined): string {
  return usage ? tokenText(usage.totalTokens) : NONE;
}

export function usedCost(usage: UsageTotals | null | undefined): string {
  return usage ? costText(usage.costUsd) : NONE;
}

/** What weakens a pass, by the names that the result has for it; and side effects that were prevented. */
export function markNames({
  held_at_start,
  forgeable,
  blockedRequests,
}: Pick<EpisodeResult, 'held_at_start' | 'forgeable' | 'blockedRequests'>): string[] {
  return [
    ...(held_at_start ? ['held_at_start'] : []),
    ...(forgeable ? ['forgeable'] : []),
    ...(blockedRequests ? [`${blockedRequests.count} blocked`] : []),
  ];
}

/** What the agent said of itself, beside what the contract says. */
export function claimText({ claimed, falselyClaimed }: Pick<EpisodeResult, 'claimed' | 'falselyClaimed'>): string {
  if (claimed === undefined) return NONE;
  return claimed === 'gave_up' ? 'gave up' : `done${falselyClaimed ? ', but failed' : ''}`;
}

/** A reward with its sign. @example signed(-0.25) // => '−0.25' */
export function signed(score: number): string {
  const text = (Math.round(score * 100) / 100).toString();
  return score < 0 ? text.replace('-', '−') : score > 0 ? `+${text}` : '0';
}

/** @example seconds(1234) // => '1.23 s' */
export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
}
