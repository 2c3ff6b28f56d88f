/**
 * An MCP server that misbehaves as its first argument says; the second one is the CDP address of its browser. Written without the SDK, so
 * that it starts in a moment. It drives one page over CDP, by the tools of the embedded server's names.
 */
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const [mode = '', address = ''] = process.argv.slice(2);

type Reply = Record<string, unknown>;
const text = (words: string, isError = false): Reply => ({ content: [{ type: 'text', text: words }], isError });
const never = (): Promise<Reply> => new Promise(() => {});

function say(message: Reply, then?: () => void): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, then);
}

const freeze = (): void => void process.kill(process.pid, 'SIGSTOP');

const crashed = Promise.withResolvers<void>();

let page: Promise<(method: string, params?: Reply) => Promise<Reply>> | undefined;
/** Sends a command to the page of its browser, which is connected to at the first call, and again when the gate has led elsewhere meanwhile. */
async function drive(method: string, params?: Reply): Promise<Reply> {
  page ??= connect();
  const send = await page;
  return send(method, params).catch(async () => {
    page = connect();
    return (await page)(method, params);
  });
}

async function connect() {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const waiting = new Map<number, (answer: Reply) => void>();
  socket.on('message', (data) => {
    const { id, method, result = {} } = JSON.parse(String(data)) as { id?: number; method?: string; result?: Reply };
    if (id !== undefined) waiting.get(id)?.(result);
    if (method === 'Inspector.targetCrashed') crashed.resolve();
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let last = 0;
  const ask = (message: Reply): Promise<Reply> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, resolve);
      socket.once('close', reject);
      socket.send(JSON.stringify({ id: last, ...message }), (error) => error && reject(error));
    });
  const { targetInfos } = (await ask({ method: 'Target.getTargets' })) as {
    targetInfos: { targetId: string; type: string }[];
  };
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
  const { sessionId } = await ask({ method: 'Target.attachToTarget', params: { targetId, flatten: true } });
  return (method: string, params: Reply = {}) => ask({ method, params, sessionId });
}

async function navigate(url: string): Promise<Reply> {
  if (mode === 'silent') return never();
  if (mode === 'elsewhere') return text('Navigated.');
  if (mode === 'refusing') return text('The browser is not to be had.', true);
  if (url.includes('freeze-now')) {
    freeze();
    return never();
  }
  const { errorText } = await drive('Page.navigate', { url });
  return errorText === undefined ? text(`Navigated, by process ${process.pid}.`) : text(String(errorText), true);
}

const tools: Record<string, (args: Reply) => Reply | Promise<Reply>> = {
  navigate: ({ url }) => navigate(String(url)),
  read_page: () => text('A page.'),
  interact: () => text('Done.'),
  wait_for: () => text('Invalid arguments: "zone" is required.', true),
  hang: never,
  exit: () => process.exit(3),
  crash: async () => {
    await drive('Inspector.enable');
    // The renderer ends before it can answer.
    drive('Page.crash').catch(() => {});
    await crashed.promise;
    return text('Done.');
  },
};

/** By tool: what it takes, and what it requires. */
const TAKES: Record<string, { names: string[]; required: string[] }> = {
  navigate: { names: ['url'], required: ['url'] },
  interact: { names: ['action', 'selector'], required: mode === 'misfit' ? ['zone'] : [] },
  wait_for: { names: ['zone'], required: ['zone'] },
};

const described = Object.keys(tools).map((name) => {
  const { names, required } = TAKES[name] ?? { names: [], required: [] };
  return {
    name,
    inputSchema: { type: 'object', properties: Object.fromEntries(names.map((each) => [each, {}])), required },
  };
});

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line) as { id?: number; method: string; params?: Reply };
  if (id === undefined) continue;
  if (method === 'initialize') {
    const serverInfo = { name: 'hostile', version: '1.0.0' };
    say({ id, result: { protocolVersion: params['protocolVersion'], capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') say({ id, result: { tools: described } });
  else if (method === 'tools/call') {
    const args = (params['arguments'] ?? {}) as Reply;
    const answer = tools[String(params['name'])]?.(args) ?? text('There is no such tool.', true);
    void Promise.resolve(answer).then((result) =>
      say({ id, result }, String(args['url']).includes('freeze-after') ? freeze : undefined),
    );
  } else say({ id, result: {} });
}
