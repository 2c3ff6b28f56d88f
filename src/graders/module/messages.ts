/** What the harness and the process of a module's grader say to each other. What comes from there is checked: it is the user's code. */
import * as z from 'zod';
import type { AttemptReader } from '../grader.ts';
import type { JudgeRequest } from '../judge/judge.ts';

/** An attempt without its function. */
export type PlainAttempt = Omit<AttemptReader, 'artifact'>;

export type ToGrader =
  | {
      type: 'grade';
      /** Numbers the grades of this process, so that a late message of an earlier one is not taken for this one's. */
      grade: number;
      attempt: PlainAttempt;
      config: unknown;
      /** Of the judge, where there is one. */
      model: string | undefined;
      timeoutMs: number;
    }
  | { type: 'reply'; id: number; value: unknown }
  | { type: 'refusal'; id: number; problem: Problem };

export interface Problem {
  message: string;
  /** The model could not be asked; it is no fault of the grader's code. */
  isJudgeProblem: boolean;
}

const grade = z.int();
const id = z.int();
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be bytes');
const problemSchema = z.object({ message: z.string(), isJudgeProblem: z.boolean() });

export const judgeRequestSchema = z.object({
  instructions: z.string(),
  parts: z.array(z.union([z.string(), z.object({ key: z.string(), data: bytes, mediaType: z.string() })])),
  maxOutputTokens: z.int().min(1).optional(),
  format: z.custom<NonNullable<JudgeRequest['format']>>().optional(),
});

export const fromGraderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loaded'), about: z.record(z.string(), z.unknown()) }),
  z.object({ type: z.literal('not_loaded'), message: z.string() }),
  z.object({ type: z.literal('artifact'), grade, id, key: z.string() }),
  z.object({ type: z.literal('ask'), grade, id, request: z.unknown() }),
  z.object({ type: z.literal('keep'), grade, name: z.string(), content: z.union([z.string(), bytes]) }),
  z.object({ type: z.literal('print'), grade, text: z.string() }),
  z.object({ type: z.literal('graded'), grade, said: z.unknown() }),
  z.object({ type: z.literal('failed'), grade, problem: problemSchema }),
]);
export type FromGrader = z.infer<typeof fromGraderSchema>;
