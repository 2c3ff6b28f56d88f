/** What an external agent is told: its task, which tools are its own, and how it ends. */
import type { SessionTask } from '../../episode/index.ts';
import { goalText } from '../model/goal-text.ts';
import { DONE_TOOL } from './session-server.ts';

export function instruction(task: SessionTask): string {
  return [
    goalText(task),
    'Use only the tools of the MCP server "browser" to see and operate that browser.',
    `When the goal is reached, or you are sure that it cannot be reached, call the tool ${DONE_TOOL} of that server, with the answer where the goal asks for one.`,
  ].join('\n');
}
