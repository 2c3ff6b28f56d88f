/** The agent of one attempt. The only place that makes one. */
import { scripted } from '../agents/index.ts';
import type { LoadedTask } from '../cases/index.ts';
import type { Agent } from '../episode/index.ts';
import type { ServerProfile } from '../tools/index.ts';
import type { AgentPlace, AgentRecipe } from './resolve-tasks.ts';

export function makeAgent(recipe: AgentRecipe, loaded: LoadedTask, profile: ServerProfile, place: AgentPlace): Agent {
  if (recipe.kind === 'given') return recipe.agent.make(loaded, place);
  const { id } = loaded.task;
  const transcript = recipe.transcripts.get(id) ?? { format: 'waymark.transcript.v1', task: id, moves: [] };
  return scripted({ transcript, profile });
}

export function agentKind(recipe: AgentRecipe): string {
  return recipe.kind === 'given' ? recipe.agent.kind : recipe.kind;
}
