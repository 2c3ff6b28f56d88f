/** The errors that a call throws when there is no answer. */
import { WaymarkError } from '../../errors/index.ts';

export function toolTimeout(tool: string, timeoutMs: number): WaymarkError {
  return new WaymarkError({
    code: 'tool_timeout',
    message: `The tool ${tool} did not answer within ${timeoutMs} ms; the call was cancelled.`,
    hint: 'Check what the page was doing at that time. A slow server needs a longer time limit per call.',
  });
}

export function serverLost(reason: string): WaymarkError {
  return new WaymarkError({
    code: 'tool_server_lost',
    message: reason,
    hint: 'Run the same command in a terminal to see why the server ends.',
  });
}

export function startFailed(what: string, why: string, cause?: unknown): WaymarkError {
  return new WaymarkError({
    code: 'tool_server_start_failed',
    message: `${sentence(what)} did not start: ${why}`,
    hint: 'Run the same command in a terminal. The server must speak MCP on its standard input and output, or at the given URL.',
    cause,
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
