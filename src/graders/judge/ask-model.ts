/** One call of a judging model. Models and servers differ in what they take: what one refuses is left out, since the prompt says it all. */
import { CallFailure, type GenerateRequest, type Generation, generate, type OpenedModel } from '../../models/index.ts';

/** As servers name the parameters that they do not take, by protocol. */
const OPTIONAL = {
  format: /response_?format|json_?schema|response_?schema|output_(?:format|config)|text\.format/i,
  temperature: /temperature/i,
} as const satisfies Partial<Record<keyof GenerateRequest, RegExp>>;

export type OptionalParameter = keyof typeof OPTIONAL;

/**
 * @param refused What the model has refused before; a refusal is added, so that the next call is not made in vain.
 * @throws as `generate` does.
 */
export async function askModel(
  model: OpenedModel,
  request: GenerateRequest,
  signal?: AbortSignal,
  refused: Set<OptionalParameter> = new Set(),
): Promise<Generation> {
  for (let attempts = 0; ; ) {
    const sent = without(request, refused);
    try {
      const reply = await generate(model, sent, signal);
      return { ...reply, attempts: reply.attempts + attempts };
    } catch (thrown) {
      const parameter = thrown instanceof CallFailure ? refusedBy(thrown, sent) : undefined;
      if (!(thrown instanceof CallFailure) || parameter === undefined) throw thrown;
      refused.add(parameter);
      attempts += thrown.attempts;
    }
  }
}

function without(request: GenerateRequest, refused: ReadonlySet<OptionalParameter>): GenerateRequest {
  return Object.fromEntries(
    Object.entries(request).filter(([name]) => !refused.has(name as OptionalParameter)),
  ) as unknown as GenerateRequest;
}

/** A parameter that was not sent can't be left out: a refusal that names it is then about something else. */
function refusedBy({ code, raw = '' }: CallFailure, sent: GenerateRequest): OptionalParameter | undefined {
  if (code !== 'invalid_request') return undefined;
  return (['format', 'temperature'] as const).find((name) => sent[name] !== undefined && OPTIONAL[name].test(raw));
}
