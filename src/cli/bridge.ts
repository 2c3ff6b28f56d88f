/** `waymark bridge`: the endpoint of an attempt over stdio, for agents that only take commands as MCP servers. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { endOfInput } from './end-of-input.ts';
import { EXIT } from './exit-code.ts';

export const bridgeCommand = defineCommand({
  name: 'bridge',
  about: [
    'connects an agent that only takes MCP servers as commands to the endpoint of its attempt: stdio on one side, HTTP on the other.',
    'Address and token come by WAYMARK_MCP_URL and WAYMARK_MCP_TOKEN, which `waymark run --agent external` sets. Ends when standard input closes.',
  ].join('\n'),
  flags: { json: { type: 'boolean', about: 'print an error at the start as JSON' } },
  examples: [{ line: 'waymark bridge', does: 'usually an agent starts this, as the command of an MCP server' }],
  async run(_flags, terminal) {
    const { WAYMARK_MCP_URL: url = '', WAYMARK_MCP_TOKEN: token = '' } = terminal.env;
    if (!URL.canParse(url) || token === '') {
      throw new WaymarkError({
        code: 'usage_bridge',
        message: 'WAYMARK_MCP_URL and WAYMARK_MCP_TOKEN must name an endpoint and its token.',
        hint: 'An agent that is started by `waymark run --agent external` has them in its environment; some agents pass on only the variables that their settings name.',
      });
    }
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    const endpoint = new StreamableHTTPClientTransport(new URL(url), { requestInit });
    const agent = new StdioServerTransport();
    agent.onmessage = (message) => void forward(message, endpoint, agent);
    endpoint.onmessage = (message) => void agent.send(message);
    // What fails is answered where it was asked.
    endpoint.onerror = () => {};
    const gone = endOfInput();
    await endpoint.start();
    await agent.start();
    await gone;
    // The endpoint may be gone before its agent.
    await endpoint.terminateSession().catch(() => {});
    await endpoint.close();
    return EXIT.ok;
  },
});

type Sender = Pick<StdioServerTransport, 'send'>;

/** A request that does not reach the endpoint is answered with an error, so that the agent does not wait for it. */
async function forward(
  message: JSONRPCMessage,
  endpoint: Pick<StreamableHTTPClientTransport, 'send'>,
  agent: Sender,
): Promise<void> {
  try {
    await endpoint.send(message);
  } catch (error) {
    if (!isJSONRPCRequest(message)) return;
    const text = `The endpoint of the attempt does not answer: ${messageOf(error)}`;
    await agent.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: text } });
  }
}
