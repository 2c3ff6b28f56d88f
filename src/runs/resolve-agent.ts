/** From what was asked for to the agent of a run. Models are opened and files are loaded here, before anything starts; the code of an agent only where it is chosen. */
import { scripted } from '../agents/scripted.ts';
import { WaymarkError } from '../errors/index.ts';
import type { AgentChoice } from './agent-choice.ts';
import type { AgentChoices, AgentGiven } from './agent-choices.ts';
import { isAgentFile, loadAgentFile } from './agent-file.ts';

export async function resolveAgent(choices: AgentChoices, given: AgentGiven): Promise<AgentChoice> {
  const { agent = choices.model === undefined ? 'scripted' : 'single' } = choices;
  if (typeof agent !== 'string') return agent;
  switch (agent) {
    case 'scripted':
    case 'mock':
      refuseModelFlags(choices);
      return scriptedChoice(given);
    case 'single':
      return (await import('./model-agents.ts')).singleChoice(choices, given);
    case 'orchestrator-executor':
      return (await import('./model-agents.ts')).orchestratorChoice(choices, given);
    case 'external':
      refuseCaps(choices);
      return (await import('../agents/index.ts')).externalAgent(choices.external ?? {}, given.env);
    default:
      if (isAgentFile(agent)) return loadAgentFile(agent);
      throw usage(
        `There is no agent "${agent}".`,
        'Agents are: scripted (also called mock), single, orchestrator-executor, external, or the path of a file that exports one.',
      );
  }
}

function scriptedChoice({ tasks, transcripts, profile }: AgentGiven): AgentChoice {
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
