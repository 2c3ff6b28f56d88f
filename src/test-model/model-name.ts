/**
 * Names of test models. A client may ask for any name. `test` means the policy that the server was started with; further parts, in any order, choose
 * a policy (`test:wanderer`), a fault (`test:fault-429`, `test:liar:fault-500@2`) or a seed (`test:seed-7`).
 */
import { TEST_MODEL_PREFIX } from '../events/index.ts';
import { FAULT_NAMES, type FaultChoice, isFaultName } from './faults.ts';
import { isPolicyName, POLICIES, type PolicyName } from './policies/index.ts';
import { Refusal } from './protocols/refusal.ts';

/** As every reply names the model, so that results made with it are recognised. */
export function modelNameOf(policy: PolicyName): string {
  return `${TEST_MODEL_PREFIX}${policy}`;
}

export interface ModelSettings {
  readonly policy?: PolicyName;
  readonly fault?: FaultChoice;
  readonly seed?: number;
}

/** @throws Refusal when a part means nothing here. */
export function parseModelId(id: string): ModelSettings {
  const [first = '', ...parts] = id.startsWith(TEST_MODEL_PREFIX)
    ? ['test', ...id.slice(TEST_MODEL_PREFIX.length).split(':')]
    : id.split(':');
  // Agents ask for other models too, for titles and summaries.
  if (first !== 'test') return {};
  return Object.assign({}, ...parts.map((part) => settingOf(part, id)));
}

function settingOf(part: string, id: string): ModelSettings {
  if (isPolicyName(part)) return { policy: part };
  const [, fault] = /^fault-(.+)$/.exec(part) ?? [];
  if (fault !== undefined) {
    const choice = parseFault(fault);
    if (choice) return { fault: choice };
  }
  const [, seed] = /^seed-(\d{1,9})$/.exec(part) ?? [];
  if (seed !== undefined) return { seed: Number(seed) };
  throw new Refusal(
    'model_not_found',
    `The model '${id}' does not exist: "${part}" is neither a policy (${Object.keys(POLICIES).join(', ')}) nor a fault (${FAULT_NAMES.map((name) => `fault-${name}`).join(', ')}) nor a seed (seed-<number>).`,
    'model',
  );
}

/** `<kind>` for every request, `<kind>@<n>` for the n-th one only. */
export function parseFault(text: string): FaultChoice | undefined {
  const [, name = '', nth] = /^(.+?)(?:@([1-9]\d{0,5}))?$/.exec(text) ?? [];
  if (!isFaultName(name)) return undefined;
  return { name, ...(nth === undefined ? {} : { nth: Number(nth) }) };
}
