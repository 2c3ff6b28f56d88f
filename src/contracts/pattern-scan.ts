/** Pattern matching with a bounded amount of work. When it is used up, the answer is "unknown", the same on every machine. */

import { leavesOf } from './leaves-of.ts';
import { MAX_PATTERN_STEPS } from './limits.ts';
import { compilePattern } from './pattern.ts';
import type { Contract } from './schema.ts';

export interface PatternScan {
  /** Whether the pattern matches; `undefined` when the remaining work does not suffice. */
  test(text: string): boolean | undefined;
  /** Why `test` returned `undefined`. */
  readonly reason: string;
}

/** Every leaf with a pattern gets an equal share, so that the verdict does not depend on the order of children. */
export function stepsPerLeaf(contract: Contract): number {
  let patterns = 0;
  for (const leaf of leavesOf(contract)) {
    if ('pattern' in leaf || 'url_pattern' in leaf || 'message_pattern' in leaf || 'expected_pattern' in leaf)
      patterns++;
  }
  return Math.floor(MAX_PATTERN_STEPS / Math.max(1, patterns));
}

export function scanFor(source: string, steps: number): PatternScan {
  const compiled = compilePattern(source);
  if (!compiled.ok) return { test: () => undefined, reason: `The pattern cannot be used: ${compiled.problem}` };
  let left = steps;
  return {
    test(text) {
      // Each search has a fixed cost, worth about 16 characters.
      const cost = (text.length + 16) * compiled.pattern.stepsPerCharacter;
      if (cost > left) return undefined;
      left -= cost;
      return compiled.pattern.test(text);
    },
    reason: 'The text is so long that searching it with this pattern would take more than the allowed work.',
  };
}
