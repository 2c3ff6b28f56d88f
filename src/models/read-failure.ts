/** What the AI SDK throws, as a `CallFailure`. Its errors hold the whole request, so that nothing of them is passed on but what stands here. */
import { CallFailure } from './call-failure.ts';

const MAX_DEPTH = 5;

export async function readFailure(thrown: unknown, hide: (text: string) => string): Promise<CallFailure> {
  const own = failureIn(thrown);
  if (own) return own;
  const sdk = await import('ai');
  if (sdk.InvalidPromptError.isInstance(thrown) || sdk.InvalidArgumentError.isInstance(thrown)) {
    return new CallFailure('invalid_request', hide(thrown.message));
  }
  if (sdk.UnsupportedFunctionalityError.isInstance(thrown)) {
    return new CallFailure('invalid_request', hide(`The provider does not support ${thrown.functionality}.`));
  }
  // Every failure of a request is a CallFailure of the guarded fetch: what is left is a reply that could not be read.
  const call = sdk.APICallError.isInstance(thrown) ? thrown : undefined;
  const isJson = !sdk.JSONParseError.isInstance(call?.cause ?? thrown);
  return new CallFailure(
    'bad_reply',
    isJson
      ? 'The endpoint replied with JSON that is not a reply of its protocol.'
      : 'The endpoint replied with something that is not JSON.',
    { status: call?.statusCode, raw: call && rawOf(call.responseBody, hide) },
  );
}

/** Typed as text; @ai-sdk/openai puts the parsed body there. */
function rawOf(body: unknown, hide: (text: string) => string): string | undefined {
  return body === undefined ? undefined : hide(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Some libraries wrap what `fetch` threw. */
function failureIn(thrown: unknown, depth = 0): CallFailure | undefined {
  if (thrown instanceof CallFailure) return thrown;
  return thrown instanceof Error && depth < MAX_DEPTH ? failureIn(thrown.cause, depth + 1) : undefined;
}
