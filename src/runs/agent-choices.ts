/** What is asked for when the agent of a run is chosen, and what it is chosen for. */
import type { ExternalOptions, ObserveMode } from '../agents/index.ts';
import type { Transcript } from '../agents/transcript.ts';
import type { LoadedTask } from '../cases/index.ts';
import type { ModelChoice } from '../models/index.ts';
import type { ServerProfile } from '../tools/index.ts';
import type { AgentChoice } from './agent-choice.ts';
import type { Environment } from './open-run-model.ts';

export interface AgentChoices {
  /**
   * `scripted` (also `mock`) replays the oracle of each task; `single` is one model; `orchestrator-executor` one that plans and others that
   * act; `external` is a program that speaks MCP; otherwise a file that exports an agent, or an agent given as code.
   */
  readonly agent?: string | AgentChoice | undefined;
  /** Of `external`: a preset or a command. */
  readonly external?: ExternalOptions | undefined;
  /** Of `single`, and of both roles where they have none of their own. */
  readonly model?: ModelChoice | undefined;
  readonly orchestratorModel?: ModelChoice | undefined;
  readonly executorModel?: ModelChoice | undefined;
  /** What models see of the page. */
  readonly observe?: ObserveMode | undefined;
  readonly temperature?: number | undefined;
  readonly contextTokens?: number | undefined;
  /** Caps of one attempt; the cost is in US dollars. */
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  /** Caps of the whole run: no attempt is begun once one is reached. */
  readonly maxRunTokens?: number | undefined;
  readonly maxRunCost?: number | undefined;
  /** A cap on the cost is accepted though the price of a model is not known, and can't be enforced. */
  readonly allowUnknownCost?: boolean | undefined;
}

export interface AgentGiven {
  readonly tasks: readonly LoadedTask[];
  readonly transcripts: ReadonlyMap<string, Transcript>;
  readonly profile: ServerProfile;
  readonly env: Environment;
}
