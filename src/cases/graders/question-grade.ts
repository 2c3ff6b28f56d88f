/**
 * The grade that decides about a question. Its own checker gives it, or its judge where only a judge can tell; it is what counts, what is
 * compared and what a resume looks at. Grades of further graders (a rubric, a program, …) stand beside it and change none of that.
 */
import { CHECKER_KINDS } from '../questions/checker-schema.ts';

/** The names of the deciding graders: the kind of the checker (`judge` is one of them), or `none` where nothing can grade the question. */
export const DECIDING_GRADERS: readonly string[] = [...CHECKER_KINDS, 'none'];

export function isDeciding(grader: string): boolean {
  return DECIDING_GRADERS.includes(grader);
}

/** Of the latest round, and of two in that round the one that was appended later; undefined where no deciding grader has spoken yet. */
export function decidingGrade<G extends { readonly grader: string; readonly round: number }>(
  grades: Iterable<G>,
): G | undefined {
  let deciding: G | undefined;
  for (const grade of grades) if (isDeciding(grade.grader) && grade.round >= (deciding?.round ?? 0)) deciding = grade;
  return deciding;
}

/** A sentence without its subject, for a name that a further grader can't have; undefined where it can. */
export function furtherNameProblem(name: string): string | undefined {
  return isDeciding(name)
    ? `has the name "${name}", under which a question's own checker or judge is kept; choose another "name"`
    : undefined;
}
