/** One request of a model's protocol, from its body to the reply, the refusal or the fault. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Conversation } from './conversation.ts';
import { decideReply, digestOf, finishReply, type PolicyContext } from './decide-reply.ts';
import { draw } from './draw.ts';
import { FAULTS, type FaultChoice, type FaultEffect, type FaultName, FLAKY_FAULTS } from './faults.ts';
import { type ModelSettings, parseModelId } from './model-name.ts';
import { POLICIES, type PolicyName } from './policies/index.ts';
import type { Policy } from './policies/policy.ts';
import type { Protocol, ReadRequest } from './protocols/protocol.ts';
import { Refusal } from './protocols/refusal.ts';
import type { RequestRecord } from './recorded-request.ts';
import type { RequestCounts } from './request-counts.ts';
import { sendBrokenBody, sendHalf, sendJson, sendStream } from './send-reply.ts';

export interface AnswerContext extends PolicyContext {
  readonly policy: PolicyName;
  /** Asked for where it is given. */
  readonly key: string | undefined;
  /** The only names that are known, where they are given. */
  readonly models: readonly string[] | undefined;
  readonly faults: readonly FaultChoice[];
  readonly thinkMs: number | undefined;
  readonly record: RequestRecord;
  readonly counts: RequestCounts;
  /** Ends waiting when the server is closed. */
  readonly closed: AbortSignal;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly protocol: Protocol;
}

const MAX_BODY = 100_000_000;

export async function answerRequest(exchange: Exchange, context: AnswerContext): Promise<void> {
  const { response, protocol, url } = exchange;
  const note = context.record.add({ protocol: protocol.name, path: url.pathname });
  try {
    const read = await readRequest(exchange, context);
    const { conversation } = read;
    const settings = parseModelId(conversation.model);
    const policy = settings.policy ?? context.policy;
    note({ conversation, isStreamed: read.isStreamed, policy });
    const seed = settings.seed ?? context.seed;
    const fault = faultOf(conversation, { settings, policy, seed }, context);
    if (fault) note({ fault });
    const effect: FaultEffect | undefined = fault && FAULTS[fault].effect;
    if (effect?.kind === 'silence') return;
    await think(policy, response, context);
    if (response.destroyed) return;
    if (effect?.kind === 'refuse') {
      const words = effect.refusal === 'context_overflow' ? protocol.overflowWords : WORDS[effect.refusal];
      return refuse(exchange, new Refusal(effect.refusal, words), effect.headers);
    }
    if (effect?.kind === 'body') return sendBrokenBody(response, effect.body, read.isStreamed);
    if (effect?.kind === 'cut' && effect.when === 'before') {
      response.destroy();
      return;
    }
    const decided = decideReply(conversation, policy, { tasks: context.tasks, seed });
    const draft = effect?.kind === 'reply' ? effect.change(decided, conversation) : decided;
    const reply = finishReply(conversation, draft, policy);
    note({ reply });
    const stream = read.isStreamed ? read.stream(reply) : undefined;
    if (effect?.kind === 'cut') {
      const body = stream ? stream.pieces.join('') : JSON.stringify(read.write(reply));
      return sendHalf(response, stream?.contentType ?? 'application/json', body);
    }
    if (stream) sendStream(response, stream);
    else sendJson(response, 200, read.write(reply));
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    note({ refusal: thrown.message });
    refuse(exchange, thrown);
  }
}

const WORDS: Readonly<Record<'rate_limited' | 'server_error' | 'key_refused', string>> = {
  rate_limited: 'Rate limit reached for requests.',
  server_error: 'The server had an error while processing your request.',
  key_refused: 'Incorrect API key provided.',
};

async function readRequest(exchange: Exchange, { key, models }: AnswerContext): Promise<ReadRequest> {
  const { request, url, protocol } = exchange;
  const given = protocol.keyOf({ headers: request.headers, url });
  const text = await readAll(request);
  if (key !== undefined && given !== key) throw new Refusal('key_refused', WORDS.key_refused);
  const path = protocol.path.exec(url.pathname)?.groups ?? {};
  const read = protocol.read({ body: parse(text), headers: request.headers, url, path });
  const { model } = read.conversation;
  if (models && !models.includes(model))
    throw new Refusal('model_not_found', `The model '${model}' does not exist.`, 'model');
  return read;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_request', 'The body of the request is not valid JSON.');
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refusal('invalid_request', 'The body of the request is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

interface Choice {
  readonly settings: ModelSettings;
  readonly policy: PolicyName;
  readonly seed: number;
}

/** Requests are counted: a fault may be meant for the n-th one, and a retry of a flaky reply must be able to succeed. */
function faultOf(
  conversation: Conversation,
  { settings, policy, seed }: Choice,
  context: AnswerContext,
): FaultName | undefined {
  const { counts, faults } = context;
  const all = counts.next('all');
  const ofModel = counts.next(`model ${conversation.model}`);
  const own = settings.fault;
  if (own && (own.nth ?? ofModel) === ofModel) return own.name;
  const given = faults.find(({ nth }) => (nth ?? all) === all);
  if (given) return given.name;
  const { failing }: Policy = POLICIES[policy];
  if (failing === undefined) return undefined;
  const digest = digestOf(conversation);
  const tries = counts.next(`conversation ${digest}`);
  if (draw(seed, 'fails', digest, tries) >= failing) return undefined;
  return FLAKY_FAULTS[Math.floor(draw(seed, 'fault', digest, tries) * FLAKY_FAULTS.length)];
}

async function think(policy: PolicyName, response: ServerResponse, { thinkMs, closed }: AnswerContext): Promise<void> {
  const { thinkMs: own }: Policy = POLICIES[policy];
  const ms = thinkMs ?? own ?? 0;
  if (ms === 0) return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  await wait(ms, undefined, { signal: AbortSignal.any([gone.signal, closed]) }).catch(() => response.destroy());
}

function refuse(
  { response, protocol }: Exchange,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, body } = protocol.failure(refusal);
  sendJson(response, status, body, headers);
}
