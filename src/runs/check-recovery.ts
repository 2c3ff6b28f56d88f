/** Refuses recovery search where replays could do harm, or could not be made. */
import type { LoadedTask } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';

export function checkRecovery(tasks: readonly LoadedTask[], agentKind: string): void {
  if (agentKind === 'orchestrator-executor') {
    throw refused(
      'Recovery search replays one lane, and the agent orchestrator-executor works in several; nothing was run.',
      'Leave out --recover, or use an agent that works in one lane.',
    );
  }
  const live = tasks.find(({ task }) => task.network === undefined || task.network.mode === 'live');
  if (live) {
    throw refused(
      `The network of the task "${live.task.id}" is live, so its steps can't be replayed without doing again what they do there; nothing was run.`,
      'Give the task a network of the mode "blocked" or "replay", or leave out --recover.',
    );
  }
}

function refused(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_no_recovery', message, hint });
}
