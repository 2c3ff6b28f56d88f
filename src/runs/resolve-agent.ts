/** From what was asked for to the agent of a run. Models are opened and files are loaded here, before anything starts. */
import {
  DEFAULT_CONTEXT_TOKENS,
  type ExternalOptions,
  externalAgent,
  type ModelSettings,
  type ObserveMode,
  orchestratorExecutor,
  scripted,
  single,
  type Transcript,
} from '../agents/index.ts';
import type { LoadedTask } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { isPriced, keyVariableOf, type ModelChoice, type OpenedModel } from '../models/index.ts';
import type { ServerProfile } from '../tools/index.ts';
import { type AgentChoice, choiceOf } from './agent-choice.ts';
import { isAgentFile, loadAgentFile } from './agent-file.ts';
import { type Environment, openRunModel } from './open-run-model.ts';

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

interface Given {
  readonly tasks: readonly LoadedTask[];
  readonly transcripts: ReadonlyMap<string, Transcript>;
  readonly profile: ServerProfile;
  readonly env: Environment;
}

/** An attempt has minutes, not hours: a provider that is down is found out before its time is used up. */
const CALL_LIMITS = { attempts: 4, timeoutMs: 120_000, maxRetryAfterMs: 60_000 };

export async function resolveAgent(choices: AgentChoices, given: Given): Promise<AgentChoice> {
  const { agent = choices.model === undefined ? 'scripted' : 'single' } = choices;
  if (typeof agent !== 'string') return agent;
  switch (agent) {
    case 'scripted':
    case 'mock':
      refuseModelFlags(choices);
      return scriptedChoice(given);
    case 'single':
      return singleChoice(choices, given);
    case 'orchestrator-executor':
      return orchestratorChoice(choices, given);
    case 'external':
      refuseCaps(choices);
      return externalAgent(choices.external ?? {}, given.env);
    default:
      if (isAgentFile(agent)) return loadAgentFile(agent);
      throw usage(
        `There is no agent "${agent}".`,
        'Agents are: scripted (also called mock), single, orchestrator-executor, external, or the path of a file that exports one.',
      );
  }
}

function scriptedChoice({ tasks, transcripts, profile }: Given): AgentChoice {
  const bare = tasks.find(({ task }) => !transcripts.has(task.id));
  if (bare) {
    throw usage(
      `${bare.source} has no oracle, which the scripted agent replays.`,
      'Give the task an "oracle": the path of a transcript.',
    );
  }
  return {
    kind: 'scripted',
    configOf: ({ task }) => transcripts.get(task.id),
    make: ({ task: { id } }) => {
      const transcript = transcripts.get(id) ?? { format: 'waymark.transcript.v1', task: id, moves: [] };
      return scripted({ transcript, profile });
    },
  };
}

async function singleChoice(choices: AgentChoices, { profile, env }: Given): Promise<AgentChoice> {
  const model = await open(choices.model, 'single', '--model', env);
  await checkCost(choices, [model]);
  return always(single({ model, profile, settings: settingsOf(choices, profile) }), [choices.model]);
}

async function orchestratorChoice(choices: AgentChoices, { profile, env }: Given): Promise<AgentChoice> {
  const { model, orchestratorModel = model, executorModel = model } = choices;
  const kind = 'orchestrator-executor';
  const orchestrator = await open(orchestratorModel, kind, '--orchestrator-model or --model', env);
  const executor = await open(executorModel, kind, '--executor-model or --model', env);
  await checkCost(choices, [orchestrator, executor]);
  const settings = settingsOf(choices, profile);
  return always(orchestratorExecutor({ orchestrator, executor, profile, settings }), [
    orchestratorModel,
    executorModel,
  ]);
}

/** Agents of models keep nothing between attempts: one serves all. */
function always(agent: ReturnType<typeof single>, models: readonly (ModelChoice | undefined)[]): AgentChoice {
  const keyVariables = models.flatMap((model) => (model && keyVariableOf(model)) ?? []);
  return { ...choiceOf(agent), keyVariables };
}

async function open(
  choice: ModelChoice | undefined,
  agent: string,
  flags: string,
  env: Environment,
): Promise<OpenedModel> {
  if (choice) return openRunModel(choice, env, CALL_LIMITS);
  throw usage(
    `The agent ${agent} needs a model.`,
    `Name one with ${flags} <kind:id>, for example openai:gpt-5-mini. Without a key: waymark test-model.`,
  );
}

function settingsOf(
  { observe = 'text', temperature, contextTokens }: AgentChoices,
  profile: ServerProfile,
): ModelSettings {
  if (observe !== 'text' && profile.dialect === 'plain') {
    throw usage(
      `The server ${profile.name} has no tool that is known to return a picture of the page.`,
      'Use --observe text, or another --server.',
    );
  }
  return {
    observe,
    contextTokens: contextTokens ?? DEFAULT_CONTEXT_TOKENS,
    ...(temperature === undefined ? {} : { temperature }),
  };
}

/** A cap that can't be enforced would be taken for one that was. */
async function checkCost(
  { maxCost, maxRunCost, allowUnknownCost }: AgentChoices,
  models: readonly OpenedModel[],
): Promise<void> {
  if ((maxCost === undefined && maxRunCost === undefined) || allowUnknownCost === true) return;
  for (const model of models) {
    if (await isPriced(model)) continue;
    throw usage(
      `The price of ${model.kind}:${model.id} is not known, so that a cap on the cost can't be enforced. Nothing was run.`,
      'Use --max-tokens, or add --allow-unknown-cost to run without the cap being enforced.',
    );
  }
}

/** What a foreign program uses is not known: what it reports of itself is not taken. */
function refuseCaps({ maxTokens, maxCost, maxRunTokens, maxRunCost, allowUnknownCost }: AgentChoices): void {
  const caps = [maxTokens, maxCost, maxRunTokens, maxRunCost];
  if (allowUnknownCost === true || caps.every((cap) => cap === undefined)) return;
  throw usage(
    "The tokens and the cost of an external agent are not known, so that a cap on them can't be enforced. Nothing was run.",
    'Set the limit at the agent itself, or add --allow-unknown-cost.',
  );
}

const MODEL_FLAGS = ['model', 'orchestratorModel', 'executorModel', 'observe', 'maxTokens', 'maxCost'] as const;

function refuseModelFlags(choices: AgentChoices): void {
  const given = MODEL_FLAGS.find((name) => choices[name] !== undefined);
  if (given === undefined) return;
  const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw usage(
    `The scripted agent has no model: --${flag} has no effect on it.`,
    'Choose --agent single, or leave the flag out.',
  );
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
