/** What a run was made with, by names that people know: what two runs are told apart by. Its cases are compared one by one, and are not in it. */
import type { RunPlan } from '../../events/index.ts';
import { hashOf } from '../run-inputs.ts';

/** Inputs that there are once for each task (`runInputs`). */
const OF_TASKS = /^(the task|maxSteps of|maxDurationMs of|what the agent is given for) /;
/** Versions are compared for themselves. */
const ELSEWHERE: ReadonlySet<string> = new Set(['waymark']);
/** Distinct values that are listed; more are a hash. */
const LISTED = 3;

export function settingsOf({ inputs, variant }: RunPlan): Record<string, string> {
  const settings: Record<string, string> = {};
  const ofTasks = new Map<string, [string, string][]>();
  for (const [name, value] of Object.entries(inputs.of)) {
    const [, group] = OF_TASKS.exec(name) ?? [];
    if (group === undefined) {
      if (!ELSEWHERE.has(name)) settings[name] = String(value);
      continue;
    }
    const values = ofTasks.get(group) ?? [];
    values.push([name.slice(group.length + 1), String(value)]);
    ofTasks.set(group, values);
  }
  for (const [group, values] of ofTasks) {
    if (group === 'the task') continue;
    const distinct = [...new Set(values.map(([, value]) => value))].sort();
    const isShort = distinct.length <= LISTED && group !== 'what the agent is given for';
    settings[group.replace(/ (of|for)$/, '')] = isShort ? distinct.join(', ') : hashOf(Object.fromEntries(values));
  }
  const parts =
    variant.kind === 'agent'
      ? { ...(variant.agent.name === undefined ? {} : { variant: variant.agent.name }), ...flat(variant.agent.config) }
      : variant.kind === 'model'
        ? { provider: variant.provider.kind, model: variant.model, ...flat(variant.params) }
        : { page: variant.origin, preset: variant.preset };
  return { ...settings, ...parts };
}

/** One level: what is deeper is shown as JSON. */
function flat(config: unknown): Record<string, string> {
  if (typeof config !== 'object' || config === null) return {};
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      `the agent’s ${name}`,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  );
}
