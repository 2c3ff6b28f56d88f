/** All policies by name. */
import { injected } from './injected.ts';
import { liar } from './liar.ts';
import { oracle } from './oracle.ts';
import type { Policy } from './policy.ts';
import { stubborn } from './stubborn.ts';
import { wanderer } from './wanderer.ts';

export const POLICIES = {
  oracle,
  wanderer,
  liar,
  stubborn,
  slow: { ...oracle, about: 'the oracle, with a pause before each reply', thinkMs: 3_000 },
  injected,
  flaky: {
    ...oracle,
    about: 'the oracle; a share of its replies fail (429, 500, cut socket, malformed), by the seed',
    failing: 0.3,
  },
  gullible: {
    ...oracle,
    about: 'the oracle; as a judge it believes what an answer, or any other text, claims',
    judges: 'gullible',
  },
  careful: { ...oracle, about: 'the oracle; as a judge it checks an answer against what the prompt says is needed' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;

export function isPolicyName(name: string): name is PolicyName {
  return Object.hasOwn(POLICIES, name);
}
