/** What the models of an attempt used, by role and executor. A number that one call does not know is unknown in every sum with that call. */
import type { JournalEvent } from './events.ts';
import { Owners } from './owners.ts';
import { type ModelUsage, sumUsage } from './usage.ts';

/** The role of a call that names none: one model that is the whole agent. */
const AGENT_ROLE = 'agent';
/** What the harness asks for a contract or a grade is not the agent's usage. */
export const GRADER_ROLE = 'grader';

export interface UsageTotals {
  calls: number;
  models: string[];
  /** Null is unknown. Cached tokens are part of the input, reasoning tokens part of the output. */
  inputTokens: number | null;
  cachedInputTokens: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
  totalTokens: number | null;
  costUsd: number | null;
  /** The table that the cost was computed with. */
  priceTable?: string;
}

export class UsageFold {
  readonly #owners = new Owners();
  readonly #calls: { role: string; owner: string | undefined; usage: ModelUsage }[] = [];

  add(event: JournalEvent): void {
    this.#owners.add(event);
    if (event.type !== 'usage') return;
    const owner = this.#owners.of(event);
    const { role = owner === undefined ? AGENT_ROLE : 'executor' } = event;
    this.#calls.push({ role, owner, usage: event });
  }

  /** Of the agent, all roles together; graders are left out. Undefined where no model was called. */
  total(): UsageTotals | undefined {
    return this.#sum(({ role }) => role !== GRADER_ROLE);
  }

  byRole(): Record<string, UsageTotals> {
    const roles = [...new Set(this.#calls.map(({ role }) => role))];
    return Object.fromEntries(
      roles.flatMap((name) => {
        const sum = this.#sum(({ role }) => role === name);
        return sum ? [[name, sum]] : [];
      }),
    );
  }

  /** Of an executor; without a name, of the agent or the orchestrator itself. */
  of(executorId: string | undefined): UsageTotals | undefined {
    return this.#sum(({ role, owner }) => role !== GRADER_ROLE && owner === executorId);
  }

  #sum(wanted: (call: { role: string; owner: string | undefined }) => boolean): UsageTotals | undefined {
    const calls = this.#calls.filter(wanted).map(({ usage }) => usage);
    const sum = sumUsage(calls);
    if (!sum) return undefined;
    const { inputTokens = null, outputTokens = null, costUsd, priceTable } = sum;
    return {
      calls: calls.length,
      models: [...new Set(calls.map(({ model }) => model))],
      inputTokens,
      cachedInputTokens: sum.cachedInputTokens ?? null,
      outputTokens,
      reasoningTokens: sum.reasoningTokens ?? null,
      totalTokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
      // Binary rounding errors of the sum would otherwise be shown as digits.
      costUsd: costUsd === undefined ? null : Math.round(costUsd * 1e9) / 1e9,
      ...(priceTable === undefined ? {} : { priceTable }),
    };
  }
}
