/** What may be asked of a server: graders for the answers of a finished run, the model that judges, and what it may use. */
import * as z from 'zod';
import { type GraderKind, graderSpecSchema, gradingProblems } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { GRADED_AGAIN } from '../graders/wanted-attempts.ts';
import { judgeSchema } from '../grading/judge-choice.ts';

export const furtherRequestSchema = z.strictObject({
  graders: z.array(graderSpecSchema).min(1).max(20),
  /** Needed where a grader asks a model. */
  judge: z.strictObject(judgeSchema.omit({ prompt: true }).shape).optional(),
  /** How often the judge is asked for each verdict, an odd number; the majority decides. */
  votes: z.int().min(1).max(99).optional(),
  /** Only attempts that the deciding grade failed, or passed, or those that the grader has no verdict for. */
  only: z.enum(GRADED_AGAIN).optional(),
  /** Calls of the judge in all, retries included; what is left then is an error of grading. */
  max_calls: z.int().min(1).max(1_000_000).optional(),
  /** US dollars in all; what is left then is an error of grading. */
  max_cost_usd: z.number().gt(0).max(1_000_000).optional(),
});
export type FurtherRequest = z.infer<typeof furtherRequestSchema>;

const OF_TASKS = 'grades browser tasks, and the runs of a server have questions';
const OF_CODE = 'runs a program, and a server runs none for those who ask it';

/** Why a kind is not for the server; undefined where it is. */
const REFUSED: Readonly<Record<GraderKind, string | undefined>> = {
  answer: undefined,
  rubric: undefined,
  contract: OF_TASKS,
  trajectory: OF_TASKS,
  network: OF_TASKS,
  all: OF_TASKS,
  'state-diff': OF_TASKS,
  webvoyager: OF_TASKS,
  webjudge: OF_TASKS,
  performance: OF_TASKS,
  command: OF_CODE,
  module: OF_CODE,
};

/** @throws where a grader is not for a server, or where its name is taken. */
export function checkGraders({ graders }: FurtherRequest): void {
  for (const [index, { grader }] of graders.entries()) {
    const why = REFUSED[grader];
    if (why !== undefined) throw refused(`graders.${index}`, `The grader ${grader} ${why}.`);
  }
  const [problem] = gradingProblems({ graders });
  if (problem) throw refused(problem.path.join('.'), `An entry of graders ${problem.message}.`);
}

function refused(path: string, message: string): WaymarkError {
  return new WaymarkError({
    code: 'grader_refused',
    message,
    issues: [{ path, code: 'grader_refused', message }],
    hint: 'A server takes answer and rubric. For others: waymark run into a folder, and waymark grade.',
  });
}
