/** Google's generateContent, whole and streamed: `POST /v1beta/models/<model>:generateContent`, `:streamGenerateContent`, `:countTokens`. */
import { z } from 'zod';
import type {
  Conversation,
  ConversationMessage,
  ModelReply,
  ModelToolCall,
  ModelToolResult,
  Picture,
} from '../conversation.ts';
import { findResultProblem } from './check-results.ts';
import { checkText, readPicture } from './pictures.ts';
import { type Protocol, piecesOf, type WrittenStream } from './protocol.ts';
import { readBody, type VendorWords } from './read-body.ts';
import { Refusal, type RefusalKind } from './refusal.ts';

const inlineData = z.looseObject({ mimeType: z.string(), data: z.string() });
const part = z
  .looseObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    inlineData: inlineData.optional(),
    functionCall: z
      .looseObject({
        id: z.string().nullish(),
        name: z.string().min(1),
        args: z.record(z.string(), z.unknown()).nullish(),
      })
      .optional(),
    functionResponse: z
      .looseObject({
        id: z.string().nullish(),
        name: z.string().min(1),
        response: z.record(z.string(), z.unknown()),
        parts: z.array(z.looseObject({ inlineData: inlineData.optional() })).nullish(),
      })
      .optional(),
  })
  .refine(
    ({ text, inlineData: data, functionCall, functionResponse }) =>
      [text, data, functionCall, functionResponse].some((given) => given !== undefined),
    'required oneof field "data" must have one initialized field',
  );
type Part = z.infer<typeof part>;
const contentSchema = z.strictObject({
  role: z.enum(['user', 'model', 'function'], 'Please use a valid role: user, model.').optional(),
  parts: z.array(part).min(1),
});

const anything = z.unknown().optional();
const bodySchema = z.strictObject({
  contents: z.array(contentSchema).min(1),
  systemInstruction: z
    .union([z.string(), z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })) })])
    .optional(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/),
              description: z.string().optional(),
              parameters: z.record(z.string(), z.unknown()).nullish(),
              parametersJsonSchema: z.record(z.string(), z.unknown()).nullish(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  generationConfig: z
    .looseObject({
      temperature: z.number().min(0).max(2).nullish(),
      maxOutputTokens: z.int().min(1).nullish(),
      responseSchema: z.record(z.string(), z.unknown()).nullish(),
      responseJsonSchema: z.record(z.string(), z.unknown()).nullish(),
    })
    .optional(),
  toolConfig: anything,
  safetySettings: anything,
  cachedContent: anything,
  labels: anything,
  model: anything,
  serviceTier: anything,
  store: anything,
});
type Body = z.infer<typeof bodySchema>;

const words: VendorWords = {
  pathOf: (path) =>
    path
      .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
      .join(''),
  unknownField: (name, path) => {
    const at = path.split('.').slice(0, -1).join('.');
    return `Invalid JSON payload received. Unknown name "${name}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`;
  },
  invalidField: (path, message) => `* GenerateContentRequest.${path}: ${message}`,
};

const KINDS: Readonly<Record<RefusalKind, { code: number; status: string }>> = {
  invalid_request: { code: 400, status: 'INVALID_ARGUMENT' },
  key_refused: { code: 400, status: 'INVALID_ARGUMENT' },
  model_not_found: { code: 404, status: 'NOT_FOUND' },
  not_found: { code: 404, status: 'NOT_FOUND' },
  rate_limited: { code: 429, status: 'RESOURCE_EXHAUSTED' },
  server_error: { code: 500, status: 'INTERNAL' },
  context_overflow: { code: 400, status: 'INVALID_ARGUMENT' },
};

export const generateContent: Protocol = {
  name: 'generate-content',
  path: /^\/v1(?:beta|alpha)?\/models\/(?<model>[^/]+):(?<method>generateContent|streamGenerateContent)$/,
  keyOf({ headers, url }) {
    const key = headers['x-goog-api-key'];
    return typeof key === 'string' ? key : (url.searchParams.get('key') ?? undefined);
  },
  overflowWords: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  failure({ kind, message }) {
    const { code, status } = KINDS[kind];
    // By the status alone, a refused key can't be told from an invalid request.
    const said = kind === 'key_refused' ? 'API key not valid. Please pass a valid API key.' : message;
    return { status: code, body: { error: { code, message: said, status } } };
  },
  read({ body, path, url }) {
    const conversation = readConversation(readBody(bodySchema, body, words), decodeURIComponent(path['model'] ?? ''));
    const isStreamed = path['method'] === 'streamGenerateContent';
    const isSse = url.searchParams.get('alt') === 'sse';
    return {
      conversation,
      isStreamed,
      write: (reply) => chunkOf(reply, partsOf(reply), true),
      stream: (reply) => streamOf(reply, isSse),
    };
  },
};

export const countContentTokens: Protocol = {
  ...generateContent,
  name: 'count-tokens',
  path: /^\/v1(?:beta|alpha)?\/models\/(?<model>[^/]+):(?<method>countTokens)$/,
  read(request) {
    const { data } = z.looseObject({ generateContentRequest: z.unknown() }).safeParse(request.body);
    const read = generateContent.read({ ...request, body: data?.generateContentRequest ?? request.body });
    return { ...read, write: ({ usage }) => ({ totalTokens: usage.input }) };
  },
};

function readConversation(body: Body, model: string): Conversation {
  const { systemInstruction: system = '', generationConfig: config } = body;
  const format = config?.responseJsonSchema ?? config?.responseSchema;
  return {
    model,
    system: typeof system === 'string' ? system : system.parts.map(({ text }) => text).join('\n\n'),
    messages: readMessages(body.contents),
    tools: (body.tools ?? [])
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, description = '', parameters, parametersJsonSchema }) => ({
        name,
        description,
        schema: parametersJsonSchema ?? parameters ?? {},
      })),
    ...(format ? { format } : {}),
  };
}

/** Many clients send no ids: a response then belongs to the first open call of its name. */
function readMessages(contents: Body['contents']): ConversationMessage[] {
  let open: ModelToolCall[] = [];
  const messages = contents.map(({ role = 'user', parts }, index): ConversationMessage => {
    const at = `contents[${index}].parts`;
    const toolCalls = parts.flatMap(({ functionCall: call }, number) =>
      call ? [{ id: call.id ?? `call-${index}-${number}`, name: call.name, arguments: call.args ?? {} }] : [],
    );
    if (role === 'model') open = [...toolCalls];
    const toolResults = parts.flatMap((each, number) => {
      if (!each.functionResponse) return [];
      const result = readResult(each.functionResponse, open, `${at}[${number}]`);
      open = open.filter(({ id }) => id !== result.id);
      return [result];
    });
    return {
      role: role === 'model' ? 'assistant' : 'user',
      text: parts
        .flatMap(({ text, thought }, number) =>
          text === undefined || thought ? [] : [checkText(text, `${at}[${number}]`)],
        )
        .join('\n'),
      images: parts.flatMap((each, number) => pictureIn(each, `${at}[${number}]`)),
      toolCalls,
      toolResults,
    };
  });
  if (findResultProblem(messages))
    throw new Refusal(
      'invalid_request',
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  return messages;
}

function readResult(
  { id, name, response, parts }: NonNullable<Part['functionResponse']>,
  open: readonly ModelToolCall[],
  at: string,
): ModelToolResult {
  const { error, content, output, result } = response;
  const said = error ?? content ?? output ?? result ?? response;
  return {
    id: id ?? open.find((call) => call.name === name)?.id ?? `no call of ${name}`,
    text: checkText(typeof said === 'string' ? said : JSON.stringify(said), at),
    isError: error !== undefined,
    images: (parts ?? []).flatMap((each) => pictureIn(each, at)),
  };
}

function pictureIn({ inlineData: data }: Pick<Part, 'inlineData'>, at: string): Picture[] {
  return data ? [readPicture(data.mimeType, data.data, `${at}.inlineData`)] : [];
}

type SentPart = { text: string } | { functionCall: { id: string; name: string; args: unknown } };

function partsOf({ text, isRefusal, toolCalls = [] }: ModelReply): SentPart[] {
  if (isRefusal) return [];
  return [
    ...(text === undefined ? [] : [{ text }]),
    ...toolCalls.map(({ id, name, arguments: args, rawArguments }) => ({
      functionCall: { id, name, args: rawArguments ?? args },
    })),
  ];
}

function streamOf(reply: ModelReply, isSse: boolean): WrittenStream {
  const { text = '', isRefusal } = reply;
  const said = isRefusal ? [] : piecesOf(text).map((piece) => chunkOf(reply, [{ text: piece }], false));
  const calls = partsOf(reply).filter((each) => !('text' in each));
  const chunks = [...said, chunkOf(reply, calls, true)].map((chunk) => JSON.stringify(chunk));
  if (isSse) return { contentType: 'text/event-stream', pieces: chunks.map((chunk) => `data: ${chunk}\r\n\r\n`) };
  // Without `alt=sse`, the stream is one JSON array.
  const pieces = chunks.map((chunk, index) => `${index === 0 ? '[' : ',\r\n'}${chunk}`);
  return { contentType: 'application/json', pieces: [...pieces, ']'] };
}

function chunkOf(reply: ModelReply, parts: readonly SentPart[], isLast: boolean) {
  const { input, cached, output, reasoning } = reply.usage;
  const isFiltered = reply.finish === 'content-filter';
  return {
    candidates: [
      {
        ...(isFiltered ? {} : { content: { role: 'model', parts } }),
        ...(isLast ? { finishReason: isFiltered ? 'SAFETY' : 'STOP' } : {}),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + output,
    },
    modelVersion: reply.model,
    responseId: reply.id,
  };
}
