/** OpenAI's responses: `POST /v1/responses`. Nothing is stored: a request that refers to an earlier reply is refused. */
import { z } from 'zod';
import type { Conversation, ConversationMessage, ConversationTool, ModelReply, Picture } from '../conversation.ts';
import { findResultProblem, type ResultProblem } from './check-results.ts';
import { bearerKey, OPENAI_OVERFLOW, openAiFailure, openAiWords } from './openai.ts';
import { checkText, readDataUrl } from './pictures.ts';
import { type Protocol, piecesOf, serverSentEvents, type WrittenStream } from './protocol.ts';
import { argumentsOf, readBody, saysError } from './read-body.ts';
import { Refusal } from './refusal.ts';

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({ type: z.literal('input_image'), image_url: z.string() }),
]);
const content = z.union([z.string(), z.array(part)]);
type Content = z.infer<typeof content>;

const item = z.discriminatedUnion('type', [
  z.looseObject({
    // Where the type is not said, the item is a message.
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string().min(1),
    name: z.string().min(1),
    namespace: z.string().nullish(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string().min(1), output: content }),
  z.looseObject({ type: z.literal('reasoning') }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string() }),
]);
type Item = z.infer<typeof item>;

const functionTool = z.looseObject({
  type: z.literal('function'),
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

const anything = z.unknown().optional();
const bodySchema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  // Beside functions there are tools that the vendor runs itself; no policy uses them.
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  stream: z.boolean().nullish(),
  text: z
    .looseObject({
      format: z.looseObject({ type: z.string(), schema: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .nullish(),
  previous_response_id: z.string().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  background: anything,
  client_metadata: anything,
  context_management: anything,
  conversation: anything,
  include: anything,
  max_tool_calls: anything,
  metadata: anything,
  parallel_tool_calls: anything,
  prompt: anything,
  prompt_cache_key: anything,
  prompt_cache_options: anything,
  prompt_cache_retention: anything,
  reasoning: anything,
  safety_identifier: anything,
  service_tier: anything,
  store: anything,
  stream_options: anything,
  tool_choice: anything,
  top_logprobs: anything,
  top_p: anything,
  truncation: anything,
  user: anything,
});

export const responses: Protocol = {
  name: 'responses',
  path: /^\/v1\/responses$/,
  keyOf: bearerKey,
  overflowWords: OPENAI_OVERFLOW,
  failure: openAiFailure,
  read({ body }) {
    const given = readBody(bodySchema, body, openAiWords);
    if (given.previous_response_id) throw notFound('Previous response', given.previous_response_id);
    const { tools, namespaces } = readTools(given.tools ?? []);
    const { system, messages } = readItems(
      typeof given.input === 'string' ? [{ role: 'user', content: given.input }] : given.input,
    );
    const problem = findResultProblem(messages);
    if (problem) throw resultRefusal(problem);
    const format = given.text?.format?.schema;
    const conversation: Conversation = {
      model: given.model,
      system: [given.instructions ?? '', ...system].filter((text) => text !== '').join('\n\n'),
      messages,
      tools,
      ...(format ? { format } : {}),
    };
    return {
      conversation,
      isStreamed: given.stream === true,
      write: (reply) => responseOf(reply, itemsOf(reply, namespaces), 'completed'),
      stream: (reply) => streamOf(reply, itemsOf(reply, namespaces)),
    };
  },
};

/** Names of tools as policies know them, with what the client calls them. */
type Namespaces = ReadonlyMap<string, { readonly namespace: string; readonly name: string }>;

/** Some clients put the tools of a server into a namespace; policies see one name with a prefix, as other clients send it. */
function fullName(namespace: string | null | undefined, name: string): string {
  return namespace ? `${namespace.replace(/__$/, '')}__${name}` : name;
}

function readTools(given: readonly Readonly<Record<string, unknown>>[]): {
  tools: ConversationTool[];
  namespaces: Namespaces;
} {
  const namespaces = new Map<string, { namespace: string; name: string }>();
  const tools = given.flatMap((tool) => {
    const members = tool['type'] === 'namespace' && Array.isArray(tool['tools']) ? tool['tools'] : [tool];
    const namespace = tool['type'] === 'namespace' ? String(tool['name']) : undefined;
    return members.flatMap((member) => {
      const { data } = functionTool.safeParse(member);
      if (!data) return [];
      const name = fullName(namespace, data.name);
      if (namespace !== undefined) namespaces.set(name, { namespace, name: data.name });
      return [{ name, description: data.description ?? '', schema: data.parameters ?? {} }];
    });
  });
  return { tools, namespaces };
}

/** Consecutive items of the assistant are one message of it, as they were one reply. */
function readItems(items: readonly Item[]): { system: string[]; messages: ConversationMessage[] } {
  const system: string[] = [];
  const messages: ConversationMessage[] = [];
  const empty = { text: '', images: [], toolCalls: [], toolResults: [] };
  const addToAssistant = (more: Partial<Pick<ConversationMessage, 'text' | 'toolCalls'>>): void => {
    const last = messages.at(-1);
    const before = last?.role === 'assistant' ? messages.pop() : undefined;
    messages.push({
      role: 'assistant',
      ...empty,
      text: [before?.text, more.text].filter((text) => text).join('\n'),
      toolCalls: [...(before?.toolCalls ?? []), ...(more.toolCalls ?? [])],
    });
  };
  for (const [index, given] of items.entries()) {
    const at = `input[${index}]`;
    if (given.type === 'reasoning') continue;
    if (given.type === 'item_reference') throw notFound('Item', given.id);
    if (given.type === 'function_call') {
      const { call_id: id, name, namespace, arguments: text } = given;
      addToAssistant({ toolCalls: [{ id, name: fullName(namespace, name), arguments: argumentsOf(text) }] });
    } else if (given.type === 'function_call_output') {
      const { call_id: id, output } = given;
      const { text, images } = readContent(output, `${at}.output`);
      messages.push({
        role: 'user',
        ...empty,
        toolResults: [{ id, text, images, isError: saysError(text) || /^\{"error":/.test(text) }],
      });
    } else {
      const { role, content: said } = given;
      const read = readContent(said, `${at}.content`);
      if (role === 'assistant') addToAssistant({ text: read.text });
      else if (role === 'user') messages.push({ role: 'user', ...empty, ...read });
      else system.push(read.text);
    }
  }
  return { system, messages };
}

function readContent(given: Content, at: string): { text: string; images: Picture[] } {
  if (typeof given === 'string') return { text: checkText(given, at), images: [] };
  const texts: string[] = [];
  const images: Picture[] = [];
  for (const [index, each] of given.entries()) {
    if (each.type === 'input_image') images.push(readDataUrl(each.image_url, `${at}[${index}].image_url`));
    else texts.push(checkText(each.type === 'refusal' ? each.refusal : each.text, `${at}[${index}]`));
  }
  return { text: texts.join('\n'), images };
}

function notFound(what: string, id: string): Refusal {
  return new Refusal(
    'not_found',
    `${what} with id '${id}' not found. Nothing is stored by this server: send the whole conversation, with store false.`,
  );
}

function resultRefusal(problem: ResultProblem): Refusal {
  const sentence =
    problem.kind === 'call_without_result'
      ? `No tool output found for function call ${problem.ids.join(', ')}.`
      : problem.kind === 'second_result'
        ? `Duplicate tool output found for function call ${problem.id}.`
        : `No tool call found for function call output with call_id ${problem.id}.`;
  return new Refusal('invalid_request', sentence, 'input');
}

type OutputItem =
  | {
      type: 'message';
      id: string;
      role: 'assistant';
      status: string;
      content: { type: string; text?: string; refusal?: string; annotations?: [] }[];
    }
  | {
      type: 'function_call';
      id: string;
      call_id: string;
      name: string;
      namespace?: string;
      arguments: string;
      status: string;
    };

function itemsOf({ id, text, isRefusal, toolCalls = [] }: ModelReply, namespaces: Namespaces): OutputItem[] {
  const said = isRefusal
    ? { type: 'refusal', refusal: text ?? '' }
    : { type: 'output_text', text: text ?? '', annotations: [] as [] };
  const messageItem: OutputItem = {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [said],
  };
  return [
    ...(text === undefined ? [] : [messageItem]),
    ...toolCalls.map(
      (call): OutputItem => ({
        type: 'function_call',
        id: `fc_${call.id}`,
        call_id: call.id,
        ...(namespaces.get(call.name) ?? { name: call.name }),
        arguments: call.rawArguments ?? JSON.stringify(call.arguments),
        status: 'completed',
      }),
    ),
  ];
}

function eventsOf(each: OutputItem, output_index: number): { type: string; [field: string]: unknown }[] {
  const place = { item_id: each.id, output_index };
  const done = { type: 'response.output_item.done', output_index, item: each };
  if (each.type === 'function_call') {
    return [
      { type: 'response.output_item.added', output_index, item: { ...each, arguments: '', status: 'in_progress' } },
      ...piecesOf(each.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, name: each.name, arguments: each.arguments },
      done,
    ];
  }
  const [said] = each.content;
  const isRefusal = said?.type === 'refusal';
  const text = said?.refusal ?? said?.text ?? '';
  const at = { ...place, content_index: 0 };
  const kind = isRefusal ? 'refusal' : 'output_text';
  return [
    { type: 'response.output_item.added', output_index, item: { ...each, content: [], status: 'in_progress' } },
    {
      type: 'response.content_part.added',
      ...at,
      part: isRefusal ? { type: kind, refusal: '' } : { type: kind, text: '', annotations: [] },
    },
    ...piecesOf(text).map((delta) => ({ type: `response.${kind}.delta`, ...at, delta })),
    { type: `response.${kind}.done`, ...at, ...(isRefusal ? { refusal: text } : { text }) },
    { type: 'response.content_part.done', ...at, part: said },
    done,
  ];
}

function streamOf(reply: ModelReply, items: readonly OutputItem[]): WrittenStream {
  const begun = responseOf(reply, [], 'in_progress');
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((each, index) => eventsOf(each, index)),
    { type: 'response.completed', response: responseOf(reply, items, 'completed') },
  ];
  const numbered = events.map((event, sequence_number) => ({ event: event.type, data: { ...event, sequence_number } }));
  return { contentType: 'text/event-stream', pieces: serverSentEvents(numbered) };
}

function responseOf(reply: ModelReply, output: readonly OutputItem[], status: 'in_progress' | 'completed') {
  const { input, cached, output: sent, reasoning } = reply.usage;
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: 0,
    status,
    error: null,
    incomplete_details: null,
    model: reply.model,
    output,
    usage:
      status === 'in_progress'
        ? null
        : {
            input_tokens: input,
            input_tokens_details: { cached_tokens: cached },
            output_tokens: sent,
            output_tokens_details: { reasoning_tokens: reasoning },
            total_tokens: input + sent,
          },
  };
}
