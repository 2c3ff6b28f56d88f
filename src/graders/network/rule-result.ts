/** What comes out of one rule. */
import type { EventOf } from '../../events/index.ts';

/** A request as the journal has it. */
export type SeenRequest = Omit<EventOf<'request'>, 'type' | 'seq' | 'time'>;

/** What a rule and a request disagree on: `status`, `query.page`, `body.$.note.text`. */
export interface Mismatch {
  readonly what: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

export type RuleResult =
  | { readonly holds: true; readonly request?: SeenRequest }
  /** `nearest`: of the requests that the rule is about, the one that differs least. */
  | { readonly holds: false; readonly mismatches: readonly Mismatch[]; readonly nearest?: SeenRequest }
  /** The evidence does not tell. */
  | { readonly holds: undefined; readonly reason: string; readonly nearest?: SeenRequest };
