/** What the harness proposes after a failure: actions that every server can carry out, the most promising first. Pure. */
import type { PageControl } from '../../chromium/index.ts';
import { rankRecoveries, type TrajectoryNode } from '../../reward/index.ts';
import type { CanonicalAction } from '../../tools/index.ts';

export interface Proposal {
  action: CanonicalAction;
  rank: { score: number; reasons: string[] };
}

export interface ProposalGrounds {
  goal: string;
  controls: readonly PageControl[];
  isDialogOpen: boolean;
  /** The page is not the one that the attempt began on. */
  hasMoved: boolean;
  /** The task guards actions. */
  isGuarded: boolean;
  history: readonly TrajectoryNode[];
  /** The first call that an action becomes, as the ledger summarizes it. */
  callOf: (action: CanonicalAction) => { tool: string; arguments: string; observes: boolean };
}

export function proposals(grounds: ProposalGrounds): Proposal[] {
  const { goal, history, callOf } = grounds;
  const words = wordsOf(goal);
  const actions = new Map(
    actionsFor(grounds).map((action) => {
      const fit = action.action === 'click' ? goalFit(action.target.name ?? '', words) : 0;
      return [{ ...callOf(action), ...(fit > 0 ? { goalFit: fit } : {}) }, action] as const;
    }),
  );
  return rankRecoveries([...actions.keys()], history).flatMap(({ candidate, score, reasons }) => {
    const action = actions.get(candidate as typeof actions extends Map<infer K, unknown> ? K : never);
    return action ? [{ action, rank: { score, reasons } }] : [];
  });
}

/**
 * Where the task guards actions, nothing is proposed that acts on the page: a guard names an element in the task's words, and the harness
 * can't be sure that a control is not that element.
 */
function actionsFor({ controls, isDialogOpen, hasMoved, isGuarded }: ProposalGrounds): CanonicalAction[] {
  const back: CanonicalAction[] = hasMoved ? [{ action: 'navigate', url: 'back' }] : [];
  const read: CanonicalAction = { action: 'read' };
  if (isGuarded) return [read, ...back];
  if (isDialogOpen)
    return [
      { action: 'handle_dialog', accept: false },
      { action: 'handle_dialog', accept: true },
    ];
  const clicks = controls.map(
    ({ role, name }): CanonicalAction => ({ action: 'click', target: { role, name, exact: true } }),
  );
  return [...clicks, read, ...back, { action: 'press', key: 'Escape' }, { action: 'navigate', url: 'reload' }];
}

/** The share of the words of a name that are in the goal. */
function goalFit(name: string, goal: ReadonlySet<string>): number {
  const words = [...wordsOf(name)];
  return words.length === 0 ? 0 : words.filter((word) => goal.has(word)).length / words.length;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
}
