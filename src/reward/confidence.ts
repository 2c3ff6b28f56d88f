/** How much of the evidence that a score uses was present. Missing evidence lowers the confidence; nothing here throws. */
import { C } from './constants.ts';
import type { PageState, RewardInput } from './types.ts';

export function confidenceOf(input: RewardInput): number {
  const { tool, contract } = input;
  let sum = knowsPage(input.current) * C.knowsPage + knowsPage(input.previous) * C.knowsPreviousPage;
  if (contract != null) sum += contract.verdict === 'inconclusive' ? C.knowsContract / 2 : C.knowsContract;
  if (input.recent != null) sum += C.knowsHistory;
  if (typeof tool.observes === 'boolean') sum += C.knowsToolKind;
  if (tool.isError === false) sum += C.knowsOutcome;
  if (tool.isError === true) sum += typeof tool.errorKind === 'string' ? C.knowsOutcome : C.knowsOutcome / 2;
  return sum;
}

function knowsPage(page: PageState | undefined | null): number {
  if (page == null) return 0;
  if (page.regions != null || page.domDigest != null || page.textDigest != null) return 1;
  return page.url != null ? 0.5 : 0;
}
