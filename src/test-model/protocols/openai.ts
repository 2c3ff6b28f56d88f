/** What the two protocols of OpenAI share: where the key is, and how a refusal looks. */
import type { IncomingHttpHeaders } from 'node:http';
import { pathText } from '../../errors/index.ts';
import type { ResultProblem } from './check-results.ts';
import type { VendorWords } from './read-body.ts';
import { Refusal, type RefusalKind } from './refusal.ts';

export function bearerKey({ headers }: { readonly headers: IncomingHttpHeaders }): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

const KINDS: Readonly<Record<RefusalKind, { status: number; type: string; code: string | null }>> = {
  invalid_request: { status: 400, type: 'invalid_request_error', code: null },
  key_refused: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
  model_not_found: { status: 404, type: 'invalid_request_error', code: 'model_not_found' },
  not_found: { status: 404, type: 'invalid_request_error', code: null },
  rate_limited: { status: 429, type: 'requests', code: 'rate_limit_exceeded' },
  server_error: { status: 500, type: 'server_error', code: null },
  context_overflow: { status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
};

export function openAiFailure({ kind, message, param }: Refusal): { status: number; body: unknown } {
  const { status, type, code } = KINDS[kind];
  return { status, body: { error: { message, type, param: param ?? null, code } } };
}

export const openAiWords: VendorWords = {
  pathOf: (path) => pathText(path),
  unknownField: (_name, path) => `Unknown parameter: '${path}'.`,
  invalidField: (path, message) => (path === '' ? message : `Invalid value for '${path}': ${message}.`),
};

export const OPENAI_OVERFLOW =
  "This model's maximum context length is 128000 tokens. Your messages resulted in more tokens. Please reduce the length of the messages.";

/** For chat completions. */
export function openAiResultRefusal(problem: ResultProblem): Refusal {
  const param = `messages[${problem.message}]`;
  switch (problem.kind) {
    case 'result_without_call':
    case 'second_result':
      return new Refusal(
        'invalid_request',
        `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls' (tool_call_id "${problem.id}").`,
        param,
      );
    case 'call_without_result':
      return new Refusal(
        'invalid_request',
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${problem.ids.join(', ')}`,
        param,
      );
  }
}
