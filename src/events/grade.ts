/** A grade: what one grader says of one attempt. Grades are appended beside the journal and never changed; a later round counts. */
import * as z from 'zod';

export const GRADE_VERDICTS = ['pass', 'fail', 'error', 'skipped'] as const;

export const gradeSchema = z.strictObject({
  /** `contract`, `answer`, `judge`, … */
  grader: z.string().min(1).max(100),
  /** From 1. Grading again appends the next round; a grade is unique by attempt, grader and round. */
  round: z.int().min(1),
  verdict: z.enum(GRADE_VERDICTS),
  /** Null where the verdict is `error` or `skipped`: nothing was measured. */
  score: z.number().min(0).max(1).nullable(),
  /** A sentence for people. */
  reasoning: z.string().optional(),
  details: z.record(z.string(), z.unknown()),
  /** Files that the grader wrote, by their artifact key. */
  artifacts: z.array(z.string()).optional(),
  /** Of the grader; absent in grades that were given before graders had versions. */
  version: z.string().optional(),
  /** The model that was asked: `kind:id`. */
  model: z.string().optional(),
  /** What its replies took; an unknown cost is absent. */
  cost: z
    .strictObject({
      calls: z.int().min(0),
      inputTokens: z.int().min(0).optional(),
      outputTokens: z.int().min(0).optional(),
      usd: z.number().min(0).optional(),
    })
    .optional(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type Grade = z.infer<typeof gradeSchema>;
export type GradeVerdict = Grade['verdict'];
