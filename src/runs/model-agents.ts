/** The agents that have models: the models are opened and the caps on their cost are checked before anything starts. */
import { DEFAULT_CONTEXT_TOKENS, type ModelSettings, orchestratorExecutor, single } from '../agents/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { isPriced, keyVariableOf, type ModelChoice, type OpenedModel } from '../models/index.ts';
import type { ServerProfile } from '../tools/index.ts';
import { type AgentChoice, choiceOf } from './agent-choice.ts';
import type { AgentChoices, AgentGiven } from './agent-choices.ts';
import { type Environment, openRunModel } from './open-run-model.ts';

/** An attempt has minutes, not hours: a provider that is down is found out before its time is used up. */
const CALL_LIMITS = { attempts: 4, timeoutMs: 120_000, maxRetryAfterMs: 60_000 };

export async function singleChoice(choices: AgentChoices, { profile, env }: AgentGiven): Promise<AgentChoice> {
  const model = await open(choices.model, 'single', '--model', env);
  await checkCost(choices, [model]);
  return always(single({ model, profile, settings: settingsOf(choices, profile) }), [choices.model]);
}

export async function orchestratorChoice(choices: AgentChoices, { profile, env }: AgentGiven): Promise<AgentChoice> {
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

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
