/** OpenAI's chat completions, which most other servers speak too: `POST /v1/chat/completions`. */
import { z } from 'zod';
import type { Conversation, ConversationMessage, ModelReply, ModelToolCall, Picture } from '../conversation.ts';
import { findResultProblem } from './check-results.ts';
import { bearerKey, OPENAI_OVERFLOW, openAiFailure, openAiResultRefusal, openAiWords } from './openai.ts';
import { checkText, readDataUrl } from './pictures.ts';
import { type Protocol, piecesOf, serverSentEvents, type WrittenStream } from './protocol.ts';
import { argumentsOf, readBody, saysError } from './read-body.ts';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const imagePart = z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) });
const texts = z.union([z.string(), z.array(textPart).min(1)]);
// The vendor takes only text in the result of a tool; servers that copy the protocol take pictures too.
const content = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart])).min(1)]);
type Content = z.infer<typeof content>;

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: texts }),
  z.looseObject({ role: z.literal('developer'), content: texts }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string().min(1),
          type: z.literal('function').optional(),
          function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content }),
]);

const anything = z.unknown().optional();
const bodySchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    )
    .optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .optional(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  n: z.literal(1).nullish(),
  tool_choice: anything,
  parallel_tool_calls: anything,
  audio: anything,
  frequency_penalty: anything,
  function_call: anything,
  functions: anything,
  logit_bias: anything,
  logprobs: anything,
  metadata: anything,
  modalities: anything,
  prediction: anything,
  presence_penalty: anything,
  prompt_cache_key: anything,
  prompt_cache_retention: anything,
  reasoning_effort: anything,
  safety_identifier: anything,
  seed: anything,
  service_tier: anything,
  stop: anything,
  store: anything,
  top_logprobs: anything,
  top_p: anything,
  user: anything,
  verbosity: anything,
  web_search_options: anything,
});
type Body = z.infer<typeof bodySchema>;

export const chatCompletions: Protocol = {
  name: 'chat-completions',
  path: /^\/v1\/chat\/completions$/,
  keyOf: bearerKey,
  overflowWords: OPENAI_OVERFLOW,
  failure: openAiFailure,
  read({ body }) {
    const given = readBody(bodySchema, body, openAiWords);
    const conversation = conversationOf(given);
    const problem = findResultProblem(conversation.messages);
    if (problem) throw openAiResultRefusal(problem);
    const hasUsage = given.stream_options?.include_usage === true;
    return {
      conversation,
      isStreamed: given.stream === true,
      write: completionOf,
      stream: (reply) => streamOf(reply, hasUsage),
    };
  },
};

function completionOf(reply: ModelReply) {
  const { text, isRefusal, toolCalls = [] } = reply;
  return {
    id: `chatcmpl-${reply.id}`,
    object: 'chat.completion',
    created: 0,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: isRefusal || text === undefined ? null : text,
          refusal: isRefusal ? (text ?? '') : null,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(callOf) } : {}),
        },
        logprobs: null,
        finish_reason: finishOf(reply),
      },
    ],
    usage: usageOf(reply),
  };
}

function streamOf(reply: ModelReply, hasUsage: boolean): WrittenStream {
  const head = { id: `chatcmpl-${reply.id}`, object: 'chat.completion.chunk', created: 0, model: reply.model };
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  const { text = '', isRefusal, toolCalls = [] } = reply;
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...piecesOf(text).map((piece) => chunk(isRefusal ? { refusal: piece } : { content: piece })),
    ...toolCalls.flatMap((call, index) => {
      const { id, type, function: named } = callOf(call);
      return [
        chunk({ tool_calls: [{ index, id, type, function: { name: named.name, arguments: '' } }] }),
        ...piecesOf(named.arguments).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    }),
    chunk({}, finishOf(reply)),
    ...(hasUsage ? [{ ...head, choices: [], usage: usageOf(reply) }] : []),
  ];
  return {
    contentType: 'text/event-stream',
    pieces: serverSentEvents([...chunks.map((data) => ({ data })), { data: '[DONE]' }]),
  };
}

function conversationOf(body: Body): Conversation {
  const system: string[] = [];
  const messages: ConversationMessage[] = [];
  for (const [index, given] of body.messages.entries()) {
    const at = `messages[${index}].content`;
    if (given.role === 'system' || given.role === 'developer') system.push(readContent(given.content, at).text);
    else messages.push(readMessage(given, at));
  }
  const format = body.response_format?.json_schema?.schema;
  return {
    model: body.model,
    system: system.join('\n\n'),
    messages,
    tools: (body.tools ?? []).map(({ function: { name, description = '', parameters = {} } }) => ({
      name,
      description,
      schema: parameters,
    })),
    ...(format ? { format } : {}),
  };
}

type Given = Exclude<Body['messages'][number], { role: 'system' | 'developer' }>;

function readMessage(given: Given, at: string): ConversationMessage {
  const empty = { text: '', images: [], toolCalls: [], toolResults: [] };
  switch (given.role) {
    case 'user':
      return { role: 'user', ...empty, ...readContent(given.content, at) };
    case 'assistant':
      return {
        role: 'assistant',
        ...empty,
        text: assistantText(given.content),
        toolCalls: (given.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
          id,
          name,
          arguments: argumentsOf(text),
        })),
      };
    case 'tool': {
      const { text, images } = readContent(given.content, at);
      const result = { id: given.tool_call_id, text, isError: saysError(text), images };
      return { role: 'user', ...empty, toolResults: [result] };
    }
  }
}

function assistantText(given: Extract<Given, { role: 'assistant' }>['content']): string {
  if (typeof given === 'string') return given;
  return (given ?? []).map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function readContent(given: Content, at: string): { text: string; images: Picture[] } {
  if (typeof given === 'string') return { text: checkText(given, at), images: [] };
  const text = given.flatMap((part, index) => (part.type === 'text' ? checkText(part.text, `${at}[${index}]`) : []));
  const images = given.flatMap((part, index) =>
    part.type === 'image_url' ? [readDataUrl(part.image_url.url, `${at}[${index}].image_url.url`)] : [],
  );
  return { text: text.join('\n'), images };
}

function callOf({ id, name, arguments: given, rawArguments }: ModelToolCall) {
  return { id, type: 'function', function: { name, arguments: rawArguments ?? JSON.stringify(given) } };
}

function finishOf({ finish }: ModelReply): string {
  return { stop: 'stop', 'tool-calls': 'tool_calls', 'content-filter': 'content_filter' }[finish];
}

function usageOf({ usage: { input, cached, output, reasoning } }: ModelReply) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
