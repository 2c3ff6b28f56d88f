/** Results that were made with the test model are always labelled as such; this is how they are recognised. */
import type { EventOf } from './events.ts';
import type { UsageTotals } from './usage-totals.ts';

/**
 * Whether a model's id, with or without its kind, is one of the test model. Replies name it `waymark-test-model/<policy>`; some clients report
 * the name that they asked for, `test` or `test:<policy>`.
 *
 * @example
 * isTestModel('openai-compatible:test:liar'); // => true
 */
export function isTestModel(id: string): boolean {
  return /^(?:[a-z-]+:)?(?:waymark-test-model\/|test(?::|$))/.test(id);
}

/** By what its calls used, or by a model that its configuration names: an external agent reports no calls. */
export function usesTestModel(agent: EventOf<'start'>['agent'], usage: UsageTotals | undefined): boolean {
  return (usage?.models ?? []).some(isTestModel) || namesTestModel(agent.config, '');
}

function namesTestModel(value: unknown, key: string): boolean {
  if (typeof value === 'string') return /model/i.test(key) && isTestModel(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => namesTestModel(inner, Array.isArray(value) ? key : name));
}
