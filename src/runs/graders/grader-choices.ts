/** What is asked for when graders are chosen, and the cases that they are chosen for. */
import type { GraderSpec } from '../../cases/index.ts';
import type { Grader } from '../../graders/index.ts';

/** A case as far as grading is concerned. */
export interface CaseGraders {
  readonly id: string;
  readonly graders?: readonly GraderSpec[] | undefined;
  /** The folder of its file: paths in its graders are relative to it. */
  readonly folder: string;
}

export interface GraderChoices {
  /**
   * A name of a grader that cases have, a kind of grader, a file (a module that exports a grader, or JSON with settings), or a grader.
   * Without any, the graders that the cases name.
   */
  readonly graders?: readonly (string | Grader)[] | undefined;
  /** Those that the cases name too. */
  readonly ownToo?: boolean | undefined;
  /** Files are relative to this. */
  readonly folder: string;
}
