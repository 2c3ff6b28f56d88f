/** Whether an attempt was made with the test model. */
import type { EventOf } from './events.ts';
import { isTestModel } from './test-model.ts';
import type { UsageTotals } from './usage-totals.ts';

/** By what its calls used, or by a model that its configuration names: an external agent reports no calls. */
export function usesTestModel(agent: EventOf<'start'>['agent'], usage: UsageTotals | undefined): boolean {
  return (usage?.models ?? []).some(isTestModel) || namesTestModel(agent.config, '');
}

function namesTestModel(value: unknown, key: string): boolean {
  if (typeof value === 'string') return /model/i.test(key) && isTestModel(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => namesTestModel(inner, Array.isArray(value) ? key : name));
}
