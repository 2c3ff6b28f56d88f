/** What a call throws when there is no answer. */
import { WaymarkError } from '../../errors/index.ts';

export function toolTimeout(tool: string, timeoutMs: number): WaymarkError {
  return new WaymarkError({
    code: 'tool_timeout',
    message: `The tool ${tool} did not answer within ${timeoutMs} ms; the call was cancelled.`,
    hint: 'Look at what the page was doing at that time; a slow server needs a longer limit for a call.',
  });
}

export function serverLost(reason: string): WaymarkError {
  return new WaymarkError({
    code: 'tool_server_lost',
    message: reason,
    hint: 'Start the server by hand with the same command to see why it ends.',
  });
}

export function startFailed(what: string, why: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'tool_server_start_failed',
    message: `${sentence(what)} did not start: ${why}`,
    hint: 'Start it by hand with the same command; it must speak MCP on its standard input and output, or at the given URL.',
    cause,
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
