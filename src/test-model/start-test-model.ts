/** Starts the test model: an HTTP server on loopback that speaks the protocols of the vendors and replies by a policy. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../net/index.ts';
import { type AnswerContext, answerRequest } from './answer-request.ts';
import type { FaultChoice } from './faults.ts';
import type { PolicyName } from './policies/index.ts';
import { type KnownTask, loadKnownTasks } from './policies/known-task.ts';
import { PROTOCOLS } from './protocols/index.ts';
import { type RecordedRequest, RequestRecord } from './recorded-request.ts';
import { RequestCounts } from './request-counts.ts';
import { sendJson } from './send-reply.ts';
import { answerSideRoute } from './side-routes.ts';

export interface TestModelOptions {
  /** Default: `oracle`. A model's name may choose another: `test:liar`. */
  readonly policy?: PolicyName | undefined;
  /** The tasks that the policies know the way through: files, folders, or tasks at hand. */
  readonly tasks?: readonly (string | KnownTask)[] | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** Refuses requests with another key, or with none. */
  readonly key?: string | undefined;
  /** Refuses requests for other models. */
  readonly models?: readonly string[] | undefined;
  readonly faults?: readonly FaultChoice[] | undefined;
  /** A pause before each reply; default: the policy's own, which only `slow` has. */
  readonly thinkMs?: number | undefined;
  /** How many requests are kept for `requests`; default: 1000. */
  readonly keep?: number | undefined;
}

export interface TestModel extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** The base URL of each kind of model, for `--base-url`. */
  readonly baseUrls: Readonly<Record<'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'ollama', string>>;
  /** The newest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
}

/** Never another address: it replies to every client. */
const HOST = '127.0.0.1';

/** @example await using model = await startTestModel({ policy: 'wanderer', tasks: ['tasks/'] }); */
export async function startTestModel(options: TestModelOptions = {}): Promise<TestModel> {
  const tasks = await loadKnownTasks(options.tasks ?? []);
  const record = new RequestRecord(options.keep ?? 1_000);
  const closing = new AbortController();
  const context: AnswerContext = {
    tasks,
    policy: options.policy ?? 'oracle',
    seed: options.seed ?? 1,
    key: options.key,
    models: options.models,
    faults: options.faults ?? [],
    thinkMs: options.thinkMs,
    record,
    counts: new RequestCounts(),
    closed: closing.signal,
  };
  const server = createServer((request, response) => {
    // What is not a refusal is a fault of this server: the client is told so, and not left waiting.
    handle(request, response, context).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else
        sendJson(response, 500, {
          error: { message: `The test model failed: ${String(thrown)}`, type: 'server_error' },
        });
    });
  });
  const port = await listen(server, HOST, options.port ?? 0);
  const url = `http://${HOST}:${port}`;
  return {
    url,
    port,
    baseUrls: {
      openai: `${url}/v1`,
      'openai-compatible': `${url}/v1`,
      anthropic: `${url}/v1`,
      google: `${url}/v1beta`,
      ollama: url,
    },
    requests: record.all,
    async [Symbol.asyncDispose]() {
      closing.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, context: AnswerContext): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${HOST}`);
  const protocol = request.method === 'POST' ? PROTOCOLS.find(({ path }) => path.test(url.pathname)) : undefined;
  if (protocol) return answerRequest({ request, response, url, protocol }, context);
  return answerSideRoute({ request, response, url }, context);
}
