/**
 * What a run is made of, written down when it begins: a run that is continued must be continued by the same, or its numbers would mean nothing.
 * Each thing under a name that people know, hashes for what is long or may hold a secret.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type EpisodeTaskSpec, type LoadedTask, taskHash } from '../cases/index.ts';
import type { RunInputs, RunPlan, SuiteSource } from '../events/index.ts';

export interface InputParts {
  tasks: readonly LoadedTask[];
  agent: string;
  /** What drives a task: its transcript, a model's configuration. Only its hash is kept. */
  agentOf: (task: LoadedTask) => unknown;
  server: string;
  /** Its whole configuration. Only its hash is kept. */
  serverOf: unknown;
  /** Everything else that has a say in results, by the name of its flag. */
  settings: Readonly<Record<string, string | number | boolean>>;
}

export function runInputs({ tasks, agent, agentOf, server, serverOf, settings }: InputParts): RunInputs {
  const of: RunInputs['of'] = { agent, server, 'the configuration of the server': hashOf(serverOf), ...settings };
  for (const loaded of tasks) {
    const { task } = loaded;
    const { id, maxSteps, maxDurationMs } = task;
    of[nameOfTask(id)] = hashWithoutCaps(task);
    of[`maxSteps of ${id}`] = maxSteps;
    of[`maxDurationMs of ${id}`] = maxDurationMs;
    of[`what the agent is given for ${id}`] = hashOf(agentOf(loaded));
  }
  return { hash: hashOf(of), of };
}

/** The name under which the inputs of a run have the hash of a task. */
export function nameOfTask(id: string): string {
  return `the task ${id}`;
}

/** Caps apart: a run with other caps is the mistake that is made most. */
export function hashWithoutCaps(task: EpisodeTaskSpec): string {
  return taskHash({ ...task, maxSteps: 0, maxDurationMs: 0 });
}

/** A sentence for each thing that is not as it was; none where the run may go on. */
export function inputDifferences(before: RunInputs, now: RunInputs): string[] {
  const names = [...new Set([...Object.keys(before.of), ...Object.keys(now.of)])];
  const gone = names.filter((name) => /^the task /.test(name) && now.of[name] === undefined);
  const added = names.filter((name) => /^the task /.test(name) && before.of[name] === undefined);
  const of = (name: string, tasks: readonly string[]): boolean =>
    tasks.some((task) => name.endsWith(` ${task.slice('the task '.length)}`));
  return names.flatMap((name) => {
    const [was, is] = [before.of[name], now.of[name]];
    if (was === is) return [];
    if (gone.includes(name)) return [`${name} was in it.`];
    if (added.includes(name)) return [`${name} was not in it.`];
    // A task that is missing says enough.
    if (of(name, [...gone, ...added])) return [];
    if (isHash(was) || isHash(is)) return [`${name} has changed.`];
    return [`${name} was ${shown(was)}, and is ${shown(is)} now.`];
  });
}

/** The tasks as a suite: named after the collection that they are from, where it is one. */
export function suiteOf(tasks: readonly LoadedTask[]): RunPlan['suite'] {
  const names = new Set(tasks.map(({ dataset }) => dataset ?? ''));
  return {
    name: names.size === 1 ? ([...names][0] ?? '') : '',
    hash: hashOf(Object.fromEntries(tasks.map(({ task }) => [task.id, taskHash(task)]))),
    ...withSources(tasks.flatMap(({ task }) => task.source ?? [])),
  };
}

/** Each source once. */
export function withSources(given: readonly SuiteSource[]): Pick<RunPlan['suite'], 'sources'> {
  const sources = new Map(given.map(({ format, file, sha256 }) => [`${format} ${sha256}`, { format, file, sha256 }]));
  return sources.size === 0 ? {} : { sources: [...sources.values()] };
}

export function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function shown(value: string | number | boolean | undefined): string {
  return value === undefined ? 'not said' : String(value);
}
