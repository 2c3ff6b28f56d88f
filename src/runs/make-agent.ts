/** The agent of one attempt. */
import type { LoadedTask } from '../cases/index.ts';
import type { Agent } from '../episode/index.ts';
import type { AgentChoice, AgentPlace } from './agent-choice.ts';

/** One that can't be made fails as soon as it is asked: the journal is open by then, and the attempt ends with all its files. */
export function makeAgent(choice: AgentChoice, task: LoadedTask, place: AgentPlace): Agent {
  try {
    return choice.make(task, place);
  } catch (error) {
    return { kind: choice.kind, config: choice.config, run: () => Promise.reject(error) };
  }
}
