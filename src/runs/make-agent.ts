/** The agent of one attempt. The only place that makes one. */
import { scripted } from '../agents/index.ts';
import type { LoadedTask } from '../cases/index.ts';
import type { Agent } from '../episode/index.ts';
import type { ServerProfile } from '../tools/index.ts';
import type { AgentChoice, AgentPlace, AgentRecipe } from './resolve-tasks.ts';

export function makeAgent(recipe: AgentRecipe, loaded: LoadedTask, profile: ServerProfile, place: AgentPlace): Agent {
  if (recipe.kind === 'given') return givenAgent(recipe.agent, loaded, place);
  const { id } = loaded.task;
  const transcript = recipe.transcripts.get(id) ?? { format: 'waymark.transcript.v1', task: id, moves: [] };
  return scripted({ transcript, profile });
}

/** One that can't be made fails as soon as it is asked: the journal is open by then, and the attempt ends with all its files. */
function givenAgent(choice: AgentChoice, loaded: LoadedTask, place: AgentPlace): Agent {
  try {
    return choice.make(loaded, place);
  } catch (error) {
    return { kind: choice.kind, config: choice.config, run: () => Promise.reject(error) };
  }
}

/** What is known of an agent before it is made: for the files of an attempt that could not be begun. */
export function agentOf(recipe: AgentRecipe): { kind: string; config?: unknown } {
  if (recipe.kind !== 'given') return { kind: recipe.kind };
  const { kind, config } = recipe.agent;
  return { kind, ...(config === undefined ? {} : { config }) };
}
