/**
 * What the task names as its target, for the scorer: a login, if the task has secrets or begins on a sign-in page, and the states that the leaves of its contract name.
 * A fold in journal order, like the scorer itself.
 */
import { exactUrlOf, type LeafEvidence, leavesWithWanted } from '../contracts/index.ts';
import type { TargetHints } from '../reward/index.ts';
import { type EventOf, laneOf, type NewEvent } from './events.ts';

type Verdict = NewEvent<'contract_eval'> | EventOf<'contract_eval'>;

/** What the page itself shows. A value of its script is no target: an agent may have made it up. */
const DOM_KINDS: ReadonlySet<string> = new Set(['dom_text', 'dom_value', 'dom_count']);

export class Targets {
  #expectsLogin: boolean;
  /** The last known verdict of each leaf: per lane where it is about the lane's page, and once where it is about the network. */
  readonly #known = new Map<string, 'pass' | 'fail'>();
  /** A step has reached a target: no further one is rewarded as a target, so that a contract of many leaves earns no more than one of few. */
  #isReached = false;

  constructor(task: unknown) {
    const secrets: unknown = Object(task).secrets;
    this.#expectsLogin = Array.isArray(secrets) && secrets.length > 0;
  }

  expectLogin(): void {
    this.#expectsLogin = true;
  }

  /** Every verdict: those of looks that belong to no step are what the next step is compared with. */
  onVerdict(event: Verdict): TargetHints {
    const hints: TargetHints = this.#expectsLogin ? { expectsLogin: true } : {};
    for (const leaf of this.#reachedIn(event)) {
      const url = leaf.assertion_kind === 'url' ? exactUrlOf(leaf.details.pattern) : undefined;
      if (url !== undefined) hints.url ??= url;
      else if (leaf.assertion_kind === 'network') hints.networkReached = true;
      else if (DOM_KINDS.has(leaf.assertion_kind)) hints.domReached = true;
    }
    if (this.#isReached) hints.alreadyReached = true;
    if (event.phase === 'step') {
      this.#isReached ||= hints.url !== undefined || hints.domReached === true || hints.networkReached === true;
    }
    return hints;
  }

  /** The leaves that hold now and did not before. What is under a `not` names a state to avoid, not a target. */
  #reachedIn(event: Verdict): LeafEvidence[] {
    if (!event.evidence) return [];
    const reached: LeafEvidence[] = [];
    for (const [index, { leaf, wanted }] of [...leavesWithWanted(event.evidence)].entries()) {
      // An inconclusive leaf says nothing of the page, so what was known before it stays known.
      if (leaf.verdict === 'inconclusive') continue;
      const key = leaf.assertion_kind === 'network' ? `${index}` : `${index} ${laneOf(event)}`;
      if (wanted === 'pass' && leaf.verdict === 'pass' && this.#known.get(key) === 'fail') reached.push(leaf);
      this.#known.set(key, leaf.verdict);
    }
    return reached;
  }
}
