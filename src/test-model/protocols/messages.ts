/** Anthropic's messages: `POST /v1/messages`, and `POST /v1/messages/count_tokens`. */
import { z } from 'zod';
import type { Conversation, ConversationMessage, ModelReply, ModelToolResult, Picture } from '../conversation.ts';
import { findResultProblem, type ResultProblem } from './check-results.ts';
import { bearerKey } from './openai.ts';
import { checkText, readPicture } from './pictures.ts';
import { type Protocol, type ProtocolRequest, piecesOf, serverSentEvents, type WrittenStream } from './protocol.ts';
import { readBody, saysError, type VendorWords } from './read-body.ts';
import { Refusal, type RefusalKind } from './refusal.ts';

const textBlock = z.looseObject({
  type: z.literal('text'),
  text: z.string().min(1, 'text content blocks must be non-empty'),
});
const imageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
});
const resultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, imageBlock]))]).optional(),
  is_error: z.boolean().optional(),
});
const callBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().min(1),
  input: z.unknown(),
});
const thoughtBlock = z.looseObject({ type: z.enum(['thinking', 'redacted_thinking']) });

const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion('type', [textBlock, imageBlock, resultBlock])).min(1),
    ]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock, callBlock, thoughtBlock]))]),
  }),
]);
type Given = z.infer<typeof message>;

const anything = z.unknown().optional();
const common = {
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().optional(),
        // Absent for tools that the vendor runs itself.
        input_schema: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']), name: z.string().optional() }).optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }).nullish() })
    .nullish(),
  thinking: anything,
  mcp_servers: anything,
  context_management: anything,
  cache_control: anything,
};
const countSchema = z.strictObject(common);
const bodySchema = z.strictObject({
  ...common,
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  container: anything,
  inference_geo: anything,
  metadata: anything,
  service_tier: anything,
  speed: anything,
  stop_sequences: anything,
  top_k: anything,
  top_p: anything,
});
type Body = z.infer<typeof countSchema>;

const words: VendorWords = {
  pathOf: (path) => path.map(String).join('.'),
  unknownField: (_name, path) => `${path}: Extra inputs are not permitted`,
  invalidField: (path, problem) => (path === '' ? problem : `${path}: ${problem}`),
};

const KINDS: Readonly<Record<RefusalKind, { status: number; type: string }>> = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  key_refused: { status: 401, type: 'authentication_error' },
  model_not_found: { status: 404, type: 'not_found_error' },
  not_found: { status: 404, type: 'not_found_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  server_error: { status: 500, type: 'api_error' },
  context_overflow: { status: 400, type: 'invalid_request_error' },
};

export const messages: Protocol = {
  name: 'messages',
  path: /^\/v1\/messages$/,
  keyOf: ({ headers }) => (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : bearerKey({ headers })),
  overflowWords: 'prompt is too long: 210000 tokens > 200000 maximum',
  failure({ kind, message: sentence }) {
    const { status, type } = KINDS[kind];
    return { status, body: { type: 'error', error: { type, message: sentence }, request_id: null } };
  },
  read(request) {
    checkVersion(request);
    const given = readBody(bodySchema, request.body, words);
    const { conversation, jsonTool } = readConversation(given);
    return {
      conversation,
      isStreamed: given.stream === true,
      write: (reply) => messageOf(reply, jsonTool),
      stream: (reply) => streamOf(reply, jsonTool),
    };
  },
};

export const countMessageTokens: Protocol = {
  ...messages,
  name: 'count-tokens',
  path: /^\/v1\/messages\/count_tokens$/,
  read(request) {
    checkVersion(request);
    const { conversation } = readConversation(readBody(countSchema, request.body, words));
    const write = ({ usage }: ModelReply) => ({ input_tokens: usage.input });
    return { conversation, isStreamed: false, write, stream: (reply) => streamOf(reply, undefined) };
  },
};

function checkVersion({ headers }: ProtocolRequest): void {
  if (headers['anthropic-version'] === undefined)
    throw new Refusal('invalid_request', 'anthropic-version: header is required');
}

interface ReadConversation {
  readonly conversation: Conversation;
  /** A tool that the reply must call with the JSON that it is asked for: how clients ask models for JSON that have no other way. */
  readonly jsonTool: string | undefined;
}

function readConversation(given: Body): ReadConversation {
  const [first] = given.messages;
  if (first?.role !== 'user') throw new Refusal('invalid_request', 'messages: first message must use the "user" role');
  const isForced = given.tool_choice?.type === 'any' || given.tool_choice?.type === 'tool';
  const jsonTool = isForced ? given.tools?.find(({ name }) => name === 'json') : undefined;
  const format = given.output_config?.format?.schema ?? jsonTool?.input_schema;
  const read = given.messages.map(readMessage);
  const problem = findResultProblem(read);
  if (problem) throw resultRefusal(problem);
  const { system = '' } = given;
  const conversation: Conversation = {
    model: given.model,
    system: typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n'),
    messages: read,
    tools: (given.tools ?? [])
      .filter((tool) => tool !== jsonTool)
      .map(({ name, description = '', input_schema: schema = {} }) => ({ name, description, schema })),
    ...(format ? { format } : {}),
  };
  return { conversation, jsonTool: jsonTool?.name };
}

function readMessage(given: Given, index: number): ConversationMessage {
  const at = `messages.${index}.content`;
  const texts: string[] = [];
  const images: Picture[] = [];
  const toolCalls: ConversationMessage['toolCalls'][number][] = [];
  const toolResults: ModelToolResult[] = [];
  const blocks = typeof given.content === 'string' ? [{ type: 'text' as const, text: given.content }] : given.content;
  for (const [number, block] of blocks.entries()) {
    const here = `${at}.${number}`;
    switch (block.type) {
      case 'text':
        texts.push(checkText(block.text, here));
        break;
      case 'image':
        images.push(readPicture(block.source.media_type, block.source.data, `${here}.image.source`));
        break;
      case 'tool_result':
        if (texts.length > 0 || images.length > 0)
          throw new Refusal(
            'invalid_request',
            `${here}: tool_result blocks must come before all other blocks of a message`,
          );
        toolResults.push(readResult(block, here));
        break;
      case 'tool_use':
        toolCalls.push({
          id: block.id,
          name: block.name,
          arguments: z.record(z.string(), z.unknown()).catch({}).parse(block.input),
        });
    }
  }
  return { role: given.role, text: texts.join('\n'), images, toolCalls, toolResults };
}

function readResult(
  { tool_use_id: id, content = '', is_error }: z.infer<typeof resultBlock>,
  at: string,
): ModelToolResult {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const text = blocks.flatMap((block) => (block.type === 'text' ? [checkText(block.text, at)] : [])).join('\n');
  const images = blocks.flatMap((block) =>
    block.type === 'image' ? [readPicture(block.source.media_type, block.source.data, at)] : [],
  );
  return { id, text, images, isError: is_error ?? saysError(text) };
}

function resultRefusal(problem: ResultProblem): Refusal {
  const at = `messages.${problem.message}`;
  if (problem.kind === 'call_without_result') {
    return new Refusal(
      'invalid_request',
      `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${problem.ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  return new Refusal(
    'invalid_request',
    problem.kind === 'second_result'
      ? `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${problem.id}`
      : `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${problem.id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  );
}

function messageOf(reply: ModelReply, jsonTool: string | undefined) {
  return {
    ...headOf(reply),
    content: blocksOf(reply, jsonTool).map(({ type, ...block }) =>
      type === 'text' ? { type, text: block.text } : { type, id: block.id, name: block.name, input: block.input },
    ),
    stop_reason: stopOf(reply, jsonTool),
    usage: usageOf(reply),
  };
}

function streamOf(reply: ModelReply, jsonTool: string | undefined): WrittenStream {
  const head = { ...headOf(reply), content: [], stop_reason: null, usage: { ...usageOf(reply), output_tokens: 1 } };
  const events = [
    { type: 'message_start', message: head },
    { type: 'ping' },
    ...blocksOf(reply, jsonTool).flatMap(({ type, text, id, name, raw }, index) => {
      const empty = type === 'text' ? { type, text: '' } : { type, id, name, input: {} };
      const deltas = piecesOf(type === 'text' ? (text ?? '') : (raw ?? '')).map((piece) =>
        type === 'text' ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
      );
      return [
        { type: 'content_block_start', index, content_block: empty },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: stopOf(reply, jsonTool), stop_sequence: null },
      usage: { output_tokens: reply.usage.output },
    },
    { type: 'message_stop' },
  ];
  const pieces = serverSentEvents(events.map((data) => ({ event: data.type, data })));
  return { contentType: 'text/event-stream', pieces };
}

interface Block {
  readonly type: 'text' | 'tool_use';
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  /** The input as a stream sends it. */
  readonly raw?: string;
}

function blocksOf({ id, text, isRefusal, toolCalls = [] }: ModelReply, jsonTool: string | undefined): Block[] {
  if (isRefusal) return [];
  if (jsonTool !== undefined && toolCalls.length === 0) {
    const raw = text ?? '{}';
    return [{ type: 'tool_use', id: `toolu_${id}`, name: jsonTool, input: parsed(raw), raw }];
  }
  return [
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...toolCalls.map((call) => ({
      type: 'tool_use' as const,
      id: call.id,
      name: call.name,
      input: call.rawArguments ?? call.arguments,
      raw: call.rawArguments ?? JSON.stringify(call.arguments),
    })),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

function headOf({ id, model }: ModelReply) {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function stopOf({ finish }: ModelReply, jsonTool: string | undefined): string {
  if (finish === 'content-filter') return 'refusal';
  return finish === 'tool-calls' || jsonTool !== undefined ? 'tool_use' : 'end_turn';
}

function usageOf({ usage: { input, cached, output } }: ModelReply) {
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}
