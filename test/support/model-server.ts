/**
 * Models whose replies a test writes: a function of the call gives the text, the status, the raw bytes, where the connection breaks, or a
 * promise to wait for. It is for tests of questions, judges and providers. An agent at work is tested with the product's own test model
 * (`startTestModel`), which knows tools, policies and named faults, but takes no reply from a test. The protocols are read and written here by
 * code of their own (`model-protocols.ts`): a misunderstanding of a protocol in the product is then seen, and not shared.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Behaviour, behaviours, type ModelCall, type ModelReply } from './model-behaviours.ts';
import { type Protocol, protocols } from './model-protocols.ts';

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** For a provider that is compatible with OpenAI: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  /** Every call, oldest first. */
  readonly calls: readonly ModelCall[];
  /** How often a model was asked; all of them without a name. */
  count(model?: string): number;
  /** Makes a model say these one after the other, the last one again and again. */
  script(model: string, replies: readonly ModelReply[]): void;
  /** Makes a model answer by a function of the call. */
  answer(model: string, behaviour: Behaviour): void;
  reset(): void;
}

export interface ModelServerOptions {
  /** Asked for in the header that the protocol has for it; any or none will do without it. */
  readonly apiKey?: string;
}

const MAX_BODY = 10_000_000;

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const models = new Map<string, Behaviour>(Object.entries(behaviours));
  const server = createServer((request, response) => {
    void handle(request, response, { calls, models, apiKey: options.apiKey }).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    calls,
    count: (model) => calls.filter((call) => model === undefined || call.model === model).length,
    script(model, replies) {
      let next = 0;
      models.set(model, () => replies[Math.min(next++, replies.length - 1)] ?? { text: '' });
    },
    answer: (model, behaviour) => void models.set(model, behaviour),
    reset: () => void calls.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Context {
  readonly calls: ModelCall[];
  readonly models: ReadonlyMap<string, Behaviour>;
  readonly apiKey: string | undefined;
}

async function handle(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const protocol = protocols.find((known) => request.method === 'POST' && known.path.test(path));
  if (!protocol) return sendJson(response, 404, { error: { message: 'Unknown path.', type: 'not_found' } });
  const fail = (status: number, message: string, type: string): void =>
    sendJson(response, status, protocol.failure(status, message, type));
  const key = protocol.keyOf(request.headers);
  if (context.apiKey !== undefined && key !== context.apiKey) {
    return fail(protocol.keyStatus, `Incorrect API key provided: ${key ?? 'none'}`, 'invalid_api_key');
  }
  const call = readCall(protocol, path, request.headers, await readAll(request), context.calls);
  if (typeof call === 'string') return fail(400, call, 'invalid_request_error');
  context.calls.push(call);
  const behaviour = context.models.get(call.model);
  if (!behaviour) return fail(404, `The model ${call.model} does not exist.`, 'model_not_found');
  await send(response, behaviour(call), call, { protocol, id: context.calls.length });
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > MAX_BODY) throw new Error('too long');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A sentence when the request is not what the protocol wants. */
function readCall(
  protocol: Protocol,
  path: string,
  headers: IncomingHttpHeaders,
  body: string,
  earlier: readonly ModelCall[],
): ModelCall | string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'We could not parse the JSON body of your request.';
  }
  if (typeof value !== 'object' || value === null) return 'The body must be an object.';
  const said = protocol.read(value as Record<string, unknown>, headers, protocol.path.exec(path)?.[1] ?? '');
  if (typeof said === 'string') return said;
  const { model, messages } = said;
  const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const first = messages.find(({ role }) => role === 'user')?.content ?? '';
  const nth = earlier.filter((call) => call.model === model && call.first === first).length + 1;
  return { ...said, prompt, first, nth };
}

async function send(
  response: ServerResponse,
  reply: ModelReply,
  call: ModelCall,
  { protocol, id }: { protocol: Protocol; id: number },
): Promise<void> {
  // Ends with the client or the server.
  if (reply.hang) return;
  await reply.after;
  if (reply.cutAfter === 0) {
    response.destroy();
    return;
  }
  const { status = 200, headers = {} } = reply;
  if (status >= 400) {
    const failure = protocol.failure(status, reply.text ?? 'The server said no.', reply.type ?? 'server_error');
    return sendJson(response, status, failure, headers);
  }
  const sent = reply.body ?? JSON.stringify(protocol.success(call, reply, id));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
    ...headers,
  });
  if (reply.cutAfter === undefined) {
    response.end(sent);
    return;
  }
  response.write(Buffer.from(sent).subarray(0, reply.cutAfter));
  // The announced length is never reached: the connection breaks in the middle.
  setImmediate(() => response.destroy());
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
