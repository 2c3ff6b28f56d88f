/** An agent as a run has it: what it is called, what has a say in its results, and how one is made for an attempt. */
import type { LoadedTask } from '../cases/index.ts';
import type { Agent } from '../episode/index.ts';
import type { Environment } from './open-run-model.ts';

/** What an attempt has for its agent. */
export interface AgentPlace {
  /** Of the attempt: files that an agent leaves there are kept with it. */
  readonly folder: string;
  /** The environment that the run was given: keys are in it. */
  readonly env: Environment;
}

export interface AgentChoice {
  readonly kind: string;
  /** What has a say in its results, without secrets: it is kept in the run's variant. */
  readonly config?: unknown;
  /** What it is given for one task, where that is not the same for all: only its hash is kept. */
  configOf?(task: LoadedTask): unknown;
  /** Environment variables whose values it is given, keys above all: no file of an attempt holds them. */
  readonly keyVariables?: readonly string[] | undefined;
  make(task: LoadedTask, place: AgentPlace): Agent;
}

/** One agent that runs all attempts, several at once. */
export function choiceOf(agent: Agent): AgentChoice {
  const { kind, config, keyVariables } = agent;
  return { kind, config, keyVariables, make: () => agent };
}
