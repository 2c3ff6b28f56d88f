/** Numbers that follow from a seed and from what they are for. Nothing is drawn in sequence, so that a conversation can be continued by another process. */
import { sha256Hex } from '../cases/index.ts';

/**
 * Uniform in [0, 1).
 *
 * @example draw(1, 'turn', 7); // always the same number
 */
export function draw(seed: number, ...purpose: readonly (string | number)[]): number {
  return Number.parseInt(sha256Hex(JSON.stringify([seed, ...purpose])).slice(0, 8), 16) / 2 ** 32;
}
