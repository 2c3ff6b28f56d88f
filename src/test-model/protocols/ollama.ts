/** Ollama's own protocol: `POST /api/chat`. It streams lines of JSON unless it is told not to, has no ids of calls, and ignores fields that it does not know. */
import { z } from 'zod';
import type { Conversation, ConversationMessage, ModelReply, ModelToolCall } from '../conversation.ts';
import { findResultProblem } from './check-results.ts';
import { bearerKey } from './openai.ts';
import { checkText, readBase64 } from './pictures.ts';
import { type Protocol, piecesOf, type WrittenStream } from './protocol.ts';
import { readBody, saysError, type VendorWords } from './read-body.ts';
import { Refusal, type RefusalKind } from './refusal.ts';

const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().default(''),
  images: z.array(z.string()).nullish(),
  tool_calls: z
    .array(
      z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }) }),
    )
    .nullish(),
  tool_name: z.string().nullish(),
});
const bodySchema = z.looseObject({
  model: z.string('model is required').min(1, 'model is required'),
  messages: z.array(message),
  stream: z.boolean().nullish(),
  format: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    )
    .nullish(),
});
type Body = z.infer<typeof bodySchema>;

const words: VendorWords = {
  pathOf: (path) => path.map(String).join('.'),
  unknownField: (_name, path) => `unknown field ${path}`,
  invalidField: (path, problem) => `${path}: ${problem}`,
};

const STATUS: Readonly<Record<RefusalKind, number>> = {
  invalid_request: 400,
  key_refused: 401,
  model_not_found: 404,
  not_found: 404,
  rate_limited: 429,
  server_error: 500,
  context_overflow: 400,
};

export const ollama: Protocol = {
  name: 'ollama',
  path: /^\/api\/chat$/,
  keyOf: bearerKey,
  overflowWords: 'the input length exceeds the context length',
  failure: ({ kind, message: sentence }) => ({ status: STATUS[kind], body: { error: sentence } }),
  read({ body }) {
    const given = readBody(bodySchema, body, words);
    return {
      conversation: readConversation(given),
      isStreamed: given.stream !== false,
      write: (reply) => lineOf(reply, reply.text ?? '', reply.toolCalls ?? [], true),
      stream: streamOf,
    };
  },
};

function readConversation({ model, messages: given, tools, format }: Body): Conversation {
  let open: ModelToolCall[] = [];
  const messages = given.flatMap((each, index): ConversationMessage[] => {
    if (each.role === 'system') return [];
    const text = checkText(each.content, `messages[${index}]`);
    const images = (each.images ?? []).map((data) => readBase64(data, `messages[${index}].images`));
    const toolCalls = (each.tool_calls ?? []).map(({ function: { name, arguments: args } }, number) => ({
      id: `call-${index}-${number}`,
      name,
      arguments: args,
    }));
    const nothing = { text: '', images: [], toolCalls: [], toolResults: [] };
    if (each.role === 'assistant') open = toolCalls;
    if (each.role !== 'tool') return [{ role: each.role, ...nothing, text, images, toolCalls }];
    // A result belongs to the first open call of its name, or to the first one.
    const call = open.find(({ name }) => name === each.tool_name) ?? open[0];
    open = open.filter((other) => other !== call);
    const result = { id: call?.id ?? `no call ${index}`, text, images, isError: saysError(text) };
    return [{ role: 'user', ...nothing, toolResults: [result] }];
  });
  if (findResultProblem(messages))
    throw new Refusal('invalid_request', 'every tool call needs one tool message after it');
  return {
    model,
    system: given.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
    messages,
    tools: (tools ?? []).map(({ function: { name, description = '', parameters = {} } }) => ({
      name,
      description,
      schema: parameters,
    })),
    ...(typeof format === 'object' && format ? { format } : {}),
  };
}

function streamOf(reply: ModelReply): WrittenStream {
  const lines = [
    ...piecesOf(reply.text ?? '').map((piece) => lineOf(reply, piece, [], false)),
    lineOf(reply, '', reply.toolCalls ?? [], true),
  ];
  return { contentType: 'application/x-ndjson', pieces: lines.map((line) => `${JSON.stringify(line)}\n`) };
}

function lineOf({ model, usage }: ModelReply, content: string, calls: readonly ModelToolCall[], isDone: boolean) {
  const tool_calls = calls.map(({ name, arguments: args, rawArguments }) => ({
    function: { name, arguments: rawArguments ?? args },
  }));
  return {
    model,
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content, ...(tool_calls.length > 0 ? { tool_calls } : {}) },
    done: isDone,
    ...(isDone
      ? {
          done_reason: 'stop',
          total_duration: 1,
          load_duration: 1,
          prompt_eval_count: usage.input,
          prompt_eval_duration: 1,
          eval_count: usage.output,
          eval_duration: 1,
        }
      : {}),
  };
}
