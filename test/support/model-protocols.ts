/**
 * The five protocols that models are called by, as the real services speak them and as strictly: what a service refuses (a missing field, a key in
 * the wrong header) is refused here. Only what we send is understood; there is no streaming.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelCall, ModelReply } from './model-behaviours.ts';

type Said = Omit<ModelCall, 'nth' | 'prompt' | 'first'>;
type Fields = Readonly<Record<string, unknown>>;

export interface Protocol {
  readonly name: 'chat' | 'responses' | 'messages' | 'generateContent' | 'ollama';
  /** Matches the path; its first group is the model, where the path names it. */
  readonly path: RegExp;
  /** The key, where it belongs. */
  readonly keyOf: (headers: IncomingHttpHeaders) => string | undefined;
  /** A sentence when the request is not what the protocol wants. */
  readonly read: (body: Fields, headers: IncomingHttpHeaders, model: string) => Said | string;
  readonly success: (call: ModelCall, reply: ModelReply, id: number) => unknown;
  readonly failure: (status: number, message: string, type: string) => unknown;
  /** What the service says when the key is missing or wrong. */
  readonly keyStatus: number;
}

interface Part {
  readonly text?: string;
  readonly image?: string;
}
type Message = ModelCall['messages'][number];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const bearer = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
const header = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Refusals are thrown while a body is read. */
class Refused extends Error {}
function need(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Refused(message);
}
function reading<A extends readonly unknown[]>(read: (...args: A) => Said) {
  return (...args: A): Said | string => {
    try {
      return read(...args);
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.message;
      throw thrown;
    }
  };
}

/** Text is one string or a list of parts; pictures are parts. */
function messageOf(role: unknown, content: unknown, partOf: (part: Fields) => Part | undefined): Message {
  need(typeof role === 'string', 'Every message needs a role.');
  if (typeof content === 'string') return { role, content, images: [] };
  const parts = listOf(content).map((part) => {
    const read = isFields(part) ? partOf(part) : undefined;
    need(read !== undefined, `Invalid content of a message of the role '${role}'.`);
    return read;
  });
  need(parts.length > 0, `A message of the role '${role}' has no content.`);
  return {
    role,
    content: parts.map(({ text }) => text ?? '').join(''),
    images: parts.flatMap(({ image }) => (image === undefined ? [] : [image])),
  };
}

const dataUrl = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^data:image\/[a-z]+;base64,(.+)$/.exec(value)?.[1] : undefined;
const textOr = (part: Fields, type: string, image: () => string | undefined): Part | undefined => {
  if (part['type'] === type && typeof part['text'] === 'string') return { text: part['text'] };
  const read = image();
  return read === undefined ? undefined : { image: read };
};

const openAiFailure = (_status: number, message: string, type: string) => ({
  error: { message, type, param: null, code: type },
});
const label = ({ model }: ModelCall): string => `${model}-2026-01-01`;
const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** What is not given is not known: a word counts as a token, and no details are told. */
function tokensOf({ messages }: ModelCall, { text = '', refusal = '', tokens }: ModelReply) {
  return {
    input: messages.reduce((sum, { content }) => sum + words(content), 0),
    output: words(text + refusal),
    ...tokens,
  };
}

const chat: Protocol = {
  name: 'chat',
  path: /^\/v1\/chat\/completions$/,
  keyOf: bearer,
  keyStatus: 401,
  read: reading((body) => {
    const { model, messages, temperature, response_format, max_tokens, max_completion_tokens, stream } = body;
    need(typeof model === 'string', "Missing required parameter: 'model'.");
    need(listOf(messages).length > 0, "Missing required parameter: 'messages'.");
    need(stream !== true, 'This server does not stream.');
    return {
      protocol: 'chat',
      body,
      model,
      messages: listOf(messages).map((message) => {
        need(
          isFields(message) && /^(?:system|developer|user|assistant|tool)$/.test(String(message['role'])),
          'Invalid role.',
        );
        return messageOf(message['role'], message['content'], (part) =>
          textOr(part, 'text', () => (isFields(part['image_url']) ? dataUrl(part['image_url']['url']) : undefined)),
        );
      }),
      temperature: number(temperature),
      maxTokens: number(max_completion_tokens ?? max_tokens),
      hasFormat: response_format !== undefined,
    };
  }),
  success(call, reply, id) {
    const { input, output, cached, reasoning } = tokensOf(call, reply);
    return {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: 0,
      model: label(call),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: reply.refusal === undefined ? (reply.text ?? '') : null,
            refusal: reply.refusal ?? null,
          },
          logprobs: null,
          finish_reason: reply.finish ?? 'stop',
        },
      ],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
        ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
      },
    };
  },
  failure: openAiFailure,
};

const responses: Protocol = {
  name: 'responses',
  path: /^\/v1\/responses$/,
  keyOf: bearer,
  keyStatus: 401,
  read: reading((body) => {
    const { model, input, temperature, text, max_output_tokens, stream } = body;
    need(typeof model === 'string', "Missing required parameter: 'model'.");
    need(listOf(input).length > 0, "Missing required parameter: 'input'.");
    need(stream !== true, 'This server does not stream.');
    return {
      protocol: 'responses',
      body,
      model,
      messages: listOf(input).map((message) => {
        need(isFields(message), 'Invalid input.');
        const type = message['role'] === 'assistant' ? 'output_text' : 'input_text';
        return messageOf(message['role'], message['content'], (part) =>
          textOr(part, type, () => (part['type'] === 'input_image' ? dataUrl(part['image_url']) : undefined)),
        );
      }),
      temperature: number(temperature),
      maxTokens: number(max_output_tokens),
      hasFormat: isFields(text) && isFields(text['format']) && text['format']['type'] === 'json_schema',
    };
  }),
  success(call, reply, id) {
    const { input, output, cached = 0, reasoning = 0 } = tokensOf(call, reply);
    return {
      id: `resp_${id}`,
      object: 'response',
      created_at: 0,
      status: reply.finish === 'length' ? 'incomplete' : 'completed',
      error: null,
      incomplete_details: reply.finish === 'length' ? { reason: 'max_output_tokens' } : null,
      model: label(call),
      output: [
        {
          type: 'message',
          id: `msg_${id}`,
          role: 'assistant',
          status: 'completed',
          content: [
            reply.refusal === undefined
              ? { type: 'output_text', text: reply.text ?? '', annotations: [] }
              : { type: 'refusal', refusal: reply.refusal },
          ],
        },
      ],
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: input + output,
      },
    };
  },
  failure: openAiFailure,
};

const messages: Protocol = {
  name: 'messages',
  path: /^\/v1\/messages$/,
  keyOf: (headers) => header(headers['x-api-key']),
  keyStatus: 401,
  read: reading((body, headers) => {
    const { model, messages, system, temperature, max_tokens, tool_choice, output_config, stream } = body;
    need(headers['anthropic-version'] !== undefined, 'anthropic-version: header is required');
    need(typeof model === 'string', 'model: Field required');
    need(number(max_tokens) !== undefined, 'max_tokens: Field required');
    need(listOf(messages).length > 0, 'messages: at least one message is required');
    need(stream !== true, 'This server does not stream.');
    const block = (part: Fields): Part | undefined => {
      need(part['text'] !== '', 'messages: text content blocks must be non-empty');
      const source = part['source'];
      return textOr(part, 'text', () =>
        isFields(source) && source['type'] === 'base64' && typeof source['data'] === 'string'
          ? source['data']
          : undefined,
      );
    };
    return {
      protocol: 'messages',
      body,
      model,
      messages: [
        ...(system === undefined ? [] : [messageOf('system', system, block)]),
        ...listOf(messages).map((message) => {
          need(isFields(message) && /^(?:user|assistant)$/.test(String(message['role'])), 'messages: Unexpected role');
          return messageOf(message['role'], message['content'], block);
        }),
      ],
      temperature: number(temperature),
      maxTokens: number(max_tokens),
      hasFormat: isFields(tool_choice) || isFields(output_config),
    };
  }),
  success(call, reply, id) {
    const { input, output, cached } = tokensOf(call, reply);
    const { tool_choice, tools } = call.body;
    const [tool] = listOf(tools);
    // A tool that must be called is how this protocol asks models without structured output for JSON.
    const content =
      isFields(tool_choice) && tool_choice['type'] === 'any' && isFields(tool)
        ? { type: 'tool_use', id: `toolu_${id}`, name: tool['name'], input: JSON.parse(reply.text || '{}') }
        : { type: 'text', text: reply.text ?? '' };
    return {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: label(call),
      content: reply.refusal === undefined ? [content] : [],
      stop_reason:
        reply.refusal !== undefined
          ? 'refusal'
          : reply.finish === 'length'
            ? 'max_tokens'
            : content.type === 'tool_use'
              ? 'tool_use'
              : 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: input - (cached ?? 0),
        output_tokens: output,
        ...(cached === undefined ? {} : { cache_read_input_tokens: cached, cache_creation_input_tokens: 0 }),
      },
    };
  },
  failure: (_status, message, type) => ({ type: 'error', error: { type, message } }),
};

const generateContent: Protocol = {
  name: 'generateContent',
  path: /^\/v1beta\/models\/([^/:]+):generateContent$/,
  keyOf: (headers) => header(headers['x-goog-api-key']),
  keyStatus: 403,
  read: reading((body, _headers, model) => {
    const { contents, systemInstruction, generationConfig } = body;
    need(listOf(contents).length > 0, '* GenerateContentRequest.contents: contents is not specified');
    const config = isFields(generationConfig) ? generationConfig : {};
    const part = ({ text, inlineData }: Fields): Part | undefined => {
      if (typeof text === 'string') return { text };
      return isFields(inlineData) && typeof inlineData['data'] === 'string' ? { image: inlineData['data'] } : undefined;
    };
    return {
      protocol: 'generateContent',
      body,
      model,
      messages: [
        ...(isFields(systemInstruction) ? [messageOf('system', systemInstruction['parts'], part)] : []),
        ...listOf(contents).map((content) => {
          need(
            isFields(content) && /^(?:user|model)$/.test(String(content['role'])),
            'Please use a valid role: user, model.',
          );
          return messageOf(content['role'], content['parts'], part);
        }),
      ],
      temperature: number(config['temperature']),
      maxTokens: number(config['maxOutputTokens']),
      hasFormat: config['responseSchema'] !== undefined || config['responseJsonSchema'] !== undefined,
    };
  }),
  success(call, reply) {
    const { input, output, cached, reasoning } = tokensOf(call, reply);
    return {
      candidates:
        reply.refusal !== undefined
          ? [{ finishReason: 'SAFETY', index: 0 }]
          : [
              {
                content: { role: 'model', parts: [{ text: reply.text ?? '' }] },
                finishReason: reply.finish === 'length' ? 'MAX_TOKENS' : 'STOP',
                index: 0,
              },
            ],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output - (reasoning ?? 0),
        totalTokenCount: input + output,
        ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
        ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
      },
      modelVersion: label(call),
    };
  },
  failure: (status, message, type) => ({ error: { code: status, message, status: type } }),
};

const ollama: Protocol = {
  name: 'ollama',
  path: /^\/api\/chat$/,
  keyOf: bearer,
  keyStatus: 401,
  read: reading((body) => {
    const { model, messages, options, format, stream } = body;
    need(typeof model === 'string', 'model is required');
    // The real one streams by default.
    need(stream === false, 'This server does not stream.');
    const settings = isFields(options) ? options : {};
    return {
      protocol: 'ollama',
      body,
      model,
      messages: listOf(messages).map((message) => {
        need(isFields(message) && typeof message['content'] === 'string', 'json: cannot unmarshal array into string');
        const images = listOf(message['images']).map(String);
        for (const image of images) need(/^[A-Za-z0-9+/]+=*$/.test(image), 'illegal base64 data at input byte 0');
        return { ...messageOf(message['role'], message['content'], () => undefined), images };
      }),
      temperature: number(settings['temperature']),
      maxTokens: number(settings['num_predict']),
      hasFormat: isFields(format),
    };
  }),
  success(call, reply) {
    const { input, output } = tokensOf(call, reply);
    return {
      model: call.model,
      created_at: '2026-01-01T00:00:00Z',
      message: { role: 'assistant', content: reply.refusal ?? reply.text ?? '' },
      done: true,
      done_reason: reply.finish ?? 'stop',
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: input,
      prompt_eval_duration: 1,
      eval_count: output,
      eval_duration: 1,
    };
  },
  failure: (_status, message) => ({ error: message }),
};

export const protocols: readonly Protocol[] = [chat, responses, messages, generateContent, ollama];
