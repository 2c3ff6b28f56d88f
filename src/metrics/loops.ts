/** Repeated loops: the same sequence of calls and resulting states, of any length, at least twice in a row. */
import type { Step } from './trace.ts';

export interface Loop {
  /** Index of its first step. */
  start: number;
  /** Steps in one round. */
  length: number;
  rounds: number;
}

/** In the steps of one lane. Non-overlapping, from the left; where several lengths fit, the one that covers most, then the shortest. */
export function findLoops(steps: readonly Step[]): Loop[] {
  const tokens = tokensOf(steps);
  const loops: Loop[] = [];
  let start = 0;
  while (start < tokens.length) {
    const loop = longestFrom(tokens, start);
    if (loop === undefined) start++;
    else {
      loops.push({ ...loop, start: steps[start]?.index ?? start });
      start += loop.length * loop.rounds;
    }
  }
  return loops;
}

function longestFrom(tokens: readonly number[], start: number): Loop | undefined {
  let best: Loop | undefined;
  for (let length = 1; start + 2 * length <= tokens.length; length++) {
    let same = 0;
    while (start + same + length < tokens.length && tokens[start + same] === tokens[start + same + length]) same++;
    const rounds = 1 + Math.floor(same / length);
    if (rounds > 1 && (best === undefined || length * rounds > best.length * best.rounds))
      best = { start, length, rounds };
  }
  return best;
}

/** Numbers compare faster than strings. A step whose state was not observed equals no other. */
function tokensOf(steps: readonly Step[]): number[] {
  const known = new Map<string, number>();
  let next = 0;
  return steps.map(({ call, state }) => {
    if (state === undefined) return next++;
    const key = `${state} ${call}`;
    const token = known.get(key) ?? next++;
    known.set(key, token);
    return token;
  });
}
