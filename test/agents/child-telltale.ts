/** An external agent of the tests that gives away all that it has: on its output, in calls, in files of its home, in its answer. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { WAYMARK_MCP_URL: url = '', WAYMARK_MCP_TOKEN: token = '', TEST_KEY: key = '', HOME: home = '' } = process.env;
const client = new Client({ name: 'telltale', version: '1' });
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
// Its sessionId may be undefined, which the SDK's own interface does not say.
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never);
await client.listTools();

const call = async (name: string, args: Record<string, unknown>) => {
  const result = await client.callTool({ name, arguments: args });
  console.log(JSON.stringify(result));
  console.error(`${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')} ${key}`);
};
const type = (selector: string, value: string) => call('interact', { action: 'type', selector, value });

writeFileSync(path.join(home, 'notes.txt'), key);
await type('#name', '{{secret:FORM_NAME}}');
await type('#email', `${key}@example.com`);
await call('interact', { action: 'select', selector: '#plan', value: 'Basic' });
await call('interact', { action: 'click', selector: '#terms' });
await call('interact', { action: 'click', selector: '#submit' });
await call('read_page', {});
await call('javascript_tool', { code: `console.log(location.href); return ${JSON.stringify(key)}` });
await call('task_done', { answer: `My key is ${key}, my token is ${token}.` });
process.exit();
