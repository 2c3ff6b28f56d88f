/** What graders took, summed over their grades. */
import type { Grade } from '../events/index.ts';
import { costText, tokenText } from './amounts.ts';

export interface GradeCosts {
  calls: number;
  /** Null where a grade does not know its own. */
  inputTokens: number | null;
  outputTokens: number | null;
  /** US dollars, of the grades that know their cost. */
  usd: number;
  /** Grades that asked a model whose price is not known. */
  unknownUsd: number;
}

export class GradeCostFold {
  #sum: GradeCosts | undefined;

  add(cost: Grade['cost']): void {
    if (!cost || cost.calls === 0) return;
    const before = this.#sum ?? { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, unknownUsd: 0 };
    this.#sum = {
      calls: before.calls + cost.calls,
      inputTokens: plus(before.inputTokens, cost.inputTokens),
      outputTokens: plus(before.outputTokens, cost.outputTokens),
      usd: before.usd + (cost.usd ?? 0),
      unknownUsd: before.unknownUsd + (cost.usd === undefined ? 1 : 0),
    };
  }

  /** Undefined where no model was asked. */
  sum(): GradeCosts | undefined {
    return this.#sum;
  }
}

/** @example gradeCostText({ usd: 0.5, unknownUsd: 2 }) // => '$0.5, unknown for 2 grades' */
export function gradeCostText({ usd, unknownUsd }: Pick<GradeCosts, 'usd' | 'unknownUsd'>): string {
  if (unknownUsd === 0) return costText(usd);
  const unknown = `unknown for ${unknownUsd} ${unknownUsd === 1 ? 'grade' : 'grades'}`;
  return usd === 0 ? unknown : `${costText(usd)}, ${unknown}`;
}

/** @example gradeTokenText({ inputTokens: 1200, outputTokens: null }) // => '1,200 / unknown' */
export function gradeTokenText({
  inputTokens,
  outputTokens,
}: Pick<GradeCosts, 'inputTokens' | 'outputTokens'>): string {
  return `${tokenText(inputTokens)} / ${tokenText(outputTokens)}`;
}

function plus(known: number | null, more: number | undefined): number | null {
  return known === null || more === undefined ? null : known + more;
}
