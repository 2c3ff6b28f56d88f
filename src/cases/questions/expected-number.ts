/** The correct number as a dataset writes it: 42, "1,234", "3/4", "25%". */
import { findNumbers } from './numbers.ts';

export interface ExpectedNumber {
  readonly value: number;
  readonly isPercent: boolean;
}

export function parseExpected(answer: unknown): ExpectedNumber | undefined {
  if (typeof answer === 'number') return Number.isFinite(answer) ? { value: answer, isPercent: false } : undefined;
  if (typeof answer !== 'string') return undefined;
  const [first, second] = findNumbers(answer);
  const isAll = first !== undefined && second === undefined && first.text.length >= answer.trim().length - 1;
  return isAll ? { value: first.value, isPercent: first.isPercent } : undefined;
}
