/** Where a failure of an orchestrator with executors arose, by rules over what the harness saw. */
import type { Delegation } from './delegations.ts';

export interface FailureOrigin {
  /** `plan`: nothing was delegated. `execution`: done was said, and nothing was done. `hand_off`: who was blocked was never asked again. */
  where: 'plan' | 'execution' | 'hand_off';
  executorId?: string;
  /** A sentence. */
  reason: string;
}

/** The first of the delegations that a rule names; undefined where no rule does. Asked only of attempts that the agent failed. */
export function failureOrigin(delegations: readonly Delegation[]): FailureOrigin | undefined {
  if (delegations.length === 0)
    return { where: 'plan', reason: 'The orchestrator ended without asking an executor for anything.' };
  for (const [index, { executorId, status, hasEffect }] of delegations.entries()) {
    if (status === 'done' && !hasEffect)
      return {
        where: 'execution',
        executorId,
        reason: `The executor ${executorId} said that it was done, and none of its steps had an effect on its page.`,
      };
    const askedAgain = delegations.slice(index + 1).some((later) => later.executorId === executorId);
    if (status === 'blocked' && !askedAgain)
      return {
        where: 'hand_off',
        executorId,
        reason: `The executor ${executorId} said that it was blocked, and was not asked again.`,
      };
  }
  return undefined;
}
