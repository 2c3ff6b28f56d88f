/** An external agent of the tests. Its first argument says how it behaves; address and token come by the environment. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [behaviour = '', ...rest] = process.argv.slice(2);
const { WAYMARK_MCP_URL: url = '', WAYMARK_MCP_TOKEN: token = '' } = process.env;

async function connect(bearer = token): Promise<Client> {
  const client = new Client({ name: 'test-agent', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${bearer}` } };
  // Its sessionId may be undefined, which the SDK's own interface does not say.
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never);
  await client.listTools();
  return client;
}

const advance = { name: 'interact', arguments: { action: 'click', selector: '#advance' } };
const say = (value: unknown): void => console.log(JSON.stringify(value));
/** Output to a pipe is written later; this waits for it. */
const printed = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()));
const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1_000));
/** A child that would live on: in the same group, or in a session of its own. */
const child = (detached: boolean): number | undefined =>
  spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], {
    stdio: 'inherit',
    detached,
  }).pid;

const BEHAVIOURS: Record<string, () => Promise<unknown>> = {
  async 'uses-tools'() {
    const client = await connect();
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const page = await client.callTool({ name: 'read_page', arguments: {} });
    const picture = await client.callTool({ name: 'page_screenshot', arguments: {} });
    const refused = await client.callTool({ name: 'no_such_tool', arguments: {} });
    const odd = await client.callTool({ name: '', arguments: {} });
    say({ tools, page, picture, refused, odd });
    await client.callTool({ name: 'task_done', arguments: { answer: 'Arrived' } });
    await forever();
  },
  async 'exits-with-answer'() {
    const client = await connect();
    await client.callTool(advance);
    console.log('It is done.');
  },
  async 'calls-at-once'() {
    const client = await connect();
    const calls = [advance, advance, { name: 'task_done', arguments: { answer: '2' } }];
    const results = await Promise.all(calls.map((call) => client.callTool(call)));
    say(results.map(({ isError }) => isError === true));
    await forever();
  },
  async 'calls-after-the-end'() {
    process.on('SIGTERM', () => {});
    const client = await connect();
    await client.callTool({ name: 'task_done', arguments: { answer: '' } });
    for (;;) {
      const result = await client
        .callTool(advance)
        .catch((error: unknown) => ({ isError: true, content: String(error) }));
      say(result);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  async 'ignores-sigterm'() {
    process.on('SIGTERM', () => {});
    const client = await connect();
    say({ pids: [process.pid, child(false), child(true)] });
    await client.callTool(advance);
    await forever();
  },
  async 'exits-before-its-children'() {
    const client = await connect();
    await client.callTool(advance);
    say({ pids: [child(false), child(true)] });
  },
  async 'falls-silent'() {
    await connect();
    await forever();
  },
  'never-connects': forever,
  async 'exits-without-connecting'() {
    console.log('All done, I believe.');
  },
  async 'has-another-token'() {
    await connect('another').catch((error: unknown) => console.error(`MCP server failed: ${String(error)}`));
    console.log('I went on without the tools.');
  },
  async 'prints-megabytes'() {
    const client = await connect();
    await printed(`${'x'.repeat(1_000_000)}\n`.repeat(20));
    const { TEST_KEY } = process.env;
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} with ${token} and ${TEST_KEY}\n`);
    await printed(lines.join(''));
    await client.callTool({ name: 'task_done', arguments: { answer: 'printed' } });
    await forever();
  },
  async 'loses-its-provider'() {
    await connect();
    console.error(`API Error: 401 {"error":"invalid api key ${process.env['TEST_KEY']}"}`);
    process.exitCode = Number(rest[0] ?? 0);
  },
  async 'retries-forever'() {
    await connect();
    setInterval(() => console.error('Attempt failed with status 500. Retrying…'), 20);
    await forever();
  },
  async crashes() {
    await connect();
    throw new Error('a bug of the agent');
  },
  async 'tells-its-secrets'() {
    const { TEST_KEY, HOME = '' } = process.env;
    console.log(`The key is ${TEST_KEY}, in base64 ${Buffer.from(TEST_KEY ?? '').toString('base64')}.`);
    console.error(`token=${token} key=${encodeURIComponent(TEST_KEY ?? '')}`);
    const client = await connect();
    const text = '{{secret:SHOP_PASSWORD}}';
    await client.callTool({ name: 'interact', arguments: { action: 'type', selector: '#name', text } });
    const page = await client.callTool({ name: 'read_page', arguments: {} });
    console.log(JSON.stringify(page));
    // Its own home, before it is deleted.
    const files = readdirSync(HOME, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));
    const found = texts.some((each) => each.includes(TEST_KEY ?? ''));
    const answer = `${files.length} files, ${found ? 'the key is in one' : 'none with the key'}; it is ${TEST_KEY}`;
    await client.callTool({ name: 'task_done', arguments: { answer } });
    await forever();
  },
  async 'tells-what-it-got'() {
    say({ env: process.env, args: rest, cwd: process.cwd(), stdin: process.stdin.isTTY === true });
    for await (const chunk of process.stdin) say(String(chunk));
    await (await connect()).callTool({ name: 'task_done', arguments: { answer: 'told' } });
    await forever();
  },
};

const behave = BEHAVIOURS[behaviour];
if (!behave) throw new Error(`There is no behaviour "${behaviour}".`);
await behave();
// The client's stream would keep the process alive.
process.exit();
