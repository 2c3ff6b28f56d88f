/** A request to a judge and what came of it, as it is kept with the grade. */
import { sha256Hex, storableText } from '../../cases/index.ts';
import type { GenerateRequest, Generation } from '../../models/index.ts';
import type { OptionalParameter } from './ask-model.ts';
import type { JudgeRequest } from './judge.ts';

interface Asked {
  readonly request: JudgeRequest;
  readonly sent: GenerateRequest;
  /** Parameters that the model does not take. */
  readonly refused: ReadonlySet<OptionalParameter>;
}

/** Pictures stand there by their key and hash: their bytes are kept with the attempt. */
export function recordOf(
  model: string,
  { request: { instructions, parts }, sent, refused }: Asked,
  outcome: { readonly reply: Generation } | { readonly problem: string },
): string {
  const shown = parts.map((part) =>
    typeof part === 'string'
      ? { text: storableText(part) }
      : { picture: part.key, sha256: sha256Hex(part.data), mediaType: part.mediaType },
  );
  const { temperature, maxOutputTokens, format } = sent;
  const record = {
    model,
    promptHash: sha256Hex(JSON.stringify({ instructions, shown })),
    parameters: { temperature, maxOutputTokens, format: format?.name ?? null },
    /** Parameters that were left out because the model refuses them. */
    leftOut: [...refused],
    instructions,
    parts: shown,
    ...('reply' in outcome ? { reply: replyOf(outcome.reply) } : outcome),
  };
  return `${JSON.stringify(record, null, 1)}\n`;
}

function replyOf({ text, repliedAs, finishReason, usage, attempts, latencyMs, warnings }: Generation) {
  return { text: storableText(text), repliedAs, finishReason, usage, attempts, latencyMs, warnings };
}
