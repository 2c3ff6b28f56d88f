/** A transcript: a record of an agent's actions that can be replayed. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findingsOf, messageOf, WaymarkError } from '../errors/index.ts';
import { CanonicalAction } from '../tools/index.ts';

export const TRANSCRIPT_FORMAT = 'waymark.transcript.v1';
const MAX_PROBLEMS = 10;

/** What the result of a move must contain. A transcript that does not fit its page any more is an error of the agent, not a failed task. */
const expectation = z.strictObject({
  isError: z.boolean().optional(),
  /** A text that the result must contain. */
  contains: z.string().optional(),
});

const shared = {
  expect: expectation.optional(),
  /** The task can be done without this move, or with another value in it: `waymark check` then does not take it for a gap in the contract. */
  optional: z.boolean().optional(),
};
const actionMove = z.strictObject({ action: CanonicalAction, ...shared });
/** A call of a specific server; `servers` names the servers that it is for. */
const callMove = z.strictObject({
  call: z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()).default({}) }),
  ...shared,
});
export type Move = z.infer<typeof actionMove> | z.infer<typeof callMove>;

const outer = z.strictObject({
  format: z.literal(TRANSCRIPT_FORMAT),
  task: z.string().min(1),
  about: z.string().optional(),
  /** Required where moves are calls of a specific server. */
  servers: z.array(z.string()).min(1).optional(),
  /** Each move is checked by its own schema, because a union would only report that none of its parts matches. */
  moves: z.array(z.unknown()).max(200),
  /** The agent's final message. */
  answer: z.string().optional(),
});
export type Transcript = Omit<z.infer<typeof outer>, 'moves'> & { moves: Move[] };

export function parseTranscript(input: unknown, source: string): Transcript {
  const parsed = outer.safeParse(input);
  const issues: Issue[] = parsed.success ? [] : [...parsed.error.issues];
  const moves = (parsed.data?.moves ?? []).flatMap((given, index) => {
    const move = (isCall(given) ? callMove : actionMove).safeParse(given);
    if (!move.success)
      issues.push(...move.error.issues.map((issue) => ({ ...issue, path: ['moves', index, ...issue.path] })));
    return move.success ? [move.data] : [];
  });
  if (parsed.success && issues.length === 0) return { ...parsed.data, moves };
  throw new WaymarkError({
    code: 'usage_bad_transcript',
    message: `${source} is not a valid transcript:\n${findingsOf({ issues }, '$').slice(0, MAX_PROBLEMS).join('\n')}`,
    hint: 'docs/reference/transcript.md describes the format.',
  });
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

function isCall(move: unknown): boolean {
  return typeof move === 'object' && move !== null && 'call' in move;
}

export function readTranscript(file: string): Transcript {
  try {
    return parseTranscript(JSON.parse(readFileSync(file, 'utf8')), file);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    throw new WaymarkError({
      code: 'usage_bad_transcript',
      message: `The transcript ${file} can't be read: ${messageOf(cause)}`,
      cause,
    });
  }
}
