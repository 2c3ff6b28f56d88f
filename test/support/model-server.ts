/**
 * A model behind the real OpenAI-compatible HTTP protocol, on loopback: `POST /v1/chat/completions`, `GET /v1/models`. Deterministic: what it
 * says follows from the model's name and the prompt, so that tests of judges and runs need no network and no chance.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Behaviour, behaviours, type ModelCall, type ModelReply } from './model-behaviours.ts';

export interface ModelServer extends AsyncDisposable {
  /** For a provider: `http://127.0.0.1:<port>/v1`. */
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
  /** Asked for as `Authorization: Bearer …`; any or none will do without it. */
  readonly apiKey?: string;
  readonly port?: number;
}

const MAX_BODY = 10_000_000;

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const models = new Map<string, Behaviour>(Object.entries(behaviours));
  const server = createServer((request, response) => {
    void handle(request, response, { calls, models, apiKey: options.apiKey }).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
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

interface Desk {
  readonly calls: ModelCall[];
  readonly models: ReadonlyMap<string, Behaviour>;
  readonly apiKey: string | undefined;
}

async function handle(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (desk.apiKey !== undefined && request.headers.authorization !== `Bearer ${desk.apiKey}`) {
    return sendError(
      response,
      401,
      `Incorrect API key provided: ${request.headers.authorization ?? 'none'}`,
      'invalid_api_key',
    );
  }
  if (request.method === 'GET' && path === '/v1/models') {
    const data = [...desk.models.keys()].map((id) => ({ id, object: 'model', created: 0, owned_by: 'test' }));
    return sendJson(response, 200, { object: 'list', data });
  }
  if (request.method !== 'POST' || path !== '/v1/chat/completions')
    return sendError(response, 404, 'Unknown path.', 'not_found');
  const call = readCall(await readAll(request), desk.calls);
  if (typeof call === 'string') return sendError(response, 400, call, 'invalid_request_error');
  desk.calls.push(call);
  const behaviour = desk.models.get(call.model);
  if (!behaviour) return sendError(response, 404, `The model ${call.model} does not exist.`, 'model_not_found');
  await send(response, behaviour(call), call, desk.calls.length);
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
function readCall(body: string, earlier: readonly ModelCall[]): ModelCall | string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return 'We could not parse the JSON body of your request.';
  }
  if (typeof value !== 'object' || value === null) return 'The body must be an object.';
  const { model, messages, temperature, response_format, stream } = value as Record<string, unknown>;
  if (typeof model !== 'string') return "Missing required parameter: 'model'.";
  if (!Array.isArray(messages) || messages.length === 0) return "Missing required parameter: 'messages'.";
  if (stream === true) return 'This server does not stream.';
  const texts = messages.map((message: unknown) => {
    const content =
      typeof message === 'object' && message !== null && 'content' in message ? message.content : undefined;
    const role = typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined;
    return { role: String(role), content: String(content) };
  });
  const prompt = texts.findLast(({ role }) => role === 'user')?.content ?? '';
  const first = texts.find(({ role }) => role === 'user')?.content ?? '';
  return {
    model,
    messages: texts,
    prompt,
    first,
    temperature: typeof temperature === 'number' ? temperature : undefined,
    hasFormat: response_format !== undefined,
    nth: earlier.filter((call) => call.model === model && call.first === first).length + 1,
  };
}

async function send(response: ServerResponse, reply: ModelReply, call: ModelCall, id: number): Promise<void> {
  // Ends with the client or the server.
  if (reply.hang) return;
  const { status = 200, headers = {} } = reply;
  if (status >= 400)
    return sendError(response, status, reply.text ?? 'The server said no.', reply.type ?? 'server_error', headers);
  const tokens = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
  const prompt_tokens = call.messages.reduce((sum, { content }) => sum + tokens(content), 0);
  const content = reply.text ?? '';
  const body = JSON.stringify({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 0,
    model: `${call.model}-2026-01-01`,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.refusal === undefined ? content : null,
          refusal: reply.refusal ?? null,
        },
        logprobs: null,
        finish_reason: reply.finish ?? 'stop',
      },
    ],
    usage: { prompt_tokens, completion_tokens: tokens(content), total_tokens: prompt_tokens + tokens(content) },
  });
  const sent = reply.body ?? body;
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

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  type: string,
  headers: Record<string, string> = {},
): void {
  sendJson(response, status, { error: { message, type, param: null, code: type } }, headers);
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
