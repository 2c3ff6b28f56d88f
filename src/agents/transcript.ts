/** A transcript: what an agent did, written down, so that it can be done again. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { WaymarkError } from '../errors/index.ts';
import { CanonicalAction } from '../tools/index.ts';

export const TRANSCRIPT_FORMAT = 'waymark.transcript.v1';

/** What a move's result must look like; a transcript that no longer fits its page is an error of the adapter, not a failed task. */
const expectation = z.strictObject({
  isError: z.boolean().optional(),
  /** The result's text holds this. */
  contains: z.string().optional(),
});

const move = z.union([
  z.strictObject({ action: CanonicalAction, expect: expectation.optional() }),
  /** In a server's own words; `servers` says for which. */
  z.strictObject({
    call: z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()).default({}) }),
    expect: expectation.optional(),
  }),
]);
export type Move = z.infer<typeof move>;

const transcript = z.strictObject({
  format: z.literal(TRANSCRIPT_FORMAT),
  task: z.string().min(1),
  about: z.string().optional(),
  /** Where moves are a server's own calls. */
  servers: z.array(z.string()).optional(),
  moves: z.array(move).max(200),
  /** The agent's last word. */
  answer: z.string().optional(),
});
export type Transcript = z.infer<typeof transcript>;

export function parseTranscript(input: unknown, source: string): Transcript {
  const parsed = transcript.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 10).map(({ path, message }) => `$.${path.join('.')}: ${message}`);
  throw new WaymarkError({
    code: 'bad_transcript',
    message: `${source} is no transcript:\n${problems.join('\n')}`,
    hint: 'docs/reference/transcript.md describes the format.',
  });
}

export function readTranscript(file: string): Transcript {
  try {
    return parseTranscript(JSON.parse(readFileSync(file, 'utf8')), file);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    throw new WaymarkError({
      code: 'bad_transcript',
      message: `The transcript ${file} can't be read: ${String(cause)}`,
      cause,
    });
  }
}
