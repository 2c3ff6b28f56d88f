/**
 * Grades the attempts of a run that count, by graders of the caller's choice. Grades are appended; nothing that is there changes. A grader
 * that asks no model and says what it said before appends nothing, so that grading again leaves the run as it is.
 */
import { canonicalHash } from '../../cases/index.ts';
import type { AttemptRef, Grade } from '../../events/index.ts';
import {
  type AttemptReader,
  type GradeJudge,
  type Grader,
  gradeAttempt,
  type NewAssessment,
} from '../../graders/index.ts';
import type { CellRecord, RunStore } from '../run-store.ts';
import { readAttempt } from './attempt-reader.ts';

export interface GradeRunOptions {
  readonly store: RunStore;
  readonly runId: string;
  /** The graders of an attempt, by what it is about. */
  readonly gradersOf: (attempt: AttemptReader) => readonly Grader[] | Promise<readonly Grader[]>;
  /** Which attempts; all by default. `grades` are those that it has, oldest first. */
  readonly isWanted?: ((attempt: AttemptReader, grades: readonly Grade[]) => boolean) | undefined;
  /** A grader that said pass or fail of an attempt is not asked again. */
  readonly onlyUngraded?: boolean | undefined;
  readonly judge?: ((keep: Keep) => GradeJudge) | undefined;
  /** Attempts at a time. */
  readonly concurrency?: number | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** The case of a cell, where the journals do not hold it. */
  readonly snapshotOf?: ((caseId: string) => unknown | Promise<unknown>) | undefined;
  readonly onGrade?: ((given: GivenGrade) => void) | undefined;
}

export type Keep = (name: string, content: string | Uint8Array) => void;

export interface GivenGrade {
  readonly attempt: AttemptRef;
  readonly grade: Grade;
  /** It says what the grader said before: nothing was appended. */
  readonly isUnchanged: boolean;
}

/** Cells without a finished attempt have nothing to grade. @throws the signal's reason when it is stopped: grades that were given stay. */
export async function gradeRun(options: GradeRunOptions): Promise<void> {
  const { store, runId, concurrency = 1 } = options;
  const oracleSteps = (await store.plan(runId))?.oracleSteps ?? {};
  const cells = store.cells(runId)[Symbol.asyncIterator]();
  const lanes = Array.from({ length: concurrency }, async () => {
    for (let next = await cells.next(); !next.done; next = await cells.next()) {
      options.signal.throwIfAborted();
      await gradeCell(next.value, oracleSteps[next.value.caseId], options);
    }
  });
  // Only when all have ended: what one of them was about to append is written then.
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

async function gradeCell(
  { caseId, trial, attempts }: CellRecord,
  oracleSteps: number | undefined,
  options: GradeRunOptions,
): Promise<void> {
  const counted = attempts.findLast(({ finished }) => finished);
  if (!counted) return;
  const { store, runId, isWanted, gradersOf, onlyUngraded, onGrade, snapshotOf } = options;
  const ref = { runId, caseId, trial, attempt: counted.attempt };
  const attempt = await readAttempt({ store, ref, oracleSteps, snapshot: await snapshotOf?.(caseId) });
  if (!attempt) return;
  const grades = await store.grades(ref);
  if (isWanted && !isWanted(attempt, grades)) return;
  for (const grader of await gradersOf(attempt)) {
    const earlier = grades.filter((grade) => grade.grader === grader.name);
    const said = earlier.at(-1)?.verdict;
    if (onlyUngraded && (said === 'pass' || said === 'fail')) continue;
    const given = await giveGrade(grader, attempt, earlier, options);
    onGrade?.({ attempt: ref, ...given });
  }
}

async function giveGrade(
  grader: Grader,
  attempt: AttemptReader,
  earlier: readonly Grade[],
  { store, judge, signal, now = Date.now }: GradeRunOptions,
): Promise<Omit<GivenGrade, 'attempt'>> {
  const files = new Map<string, Uint8Array>();
  const keep: Keep = (name, content) => {
    files.set(name, typeof content === 'string' ? Buffer.from(content) : content);
  };
  const asked = grader.needsModel ? judge?.(keep) : undefined;
  const said = await gradeAttempt(grader, attempt, { signal, judge: asked, keep });
  const last = earlier.at(-1);
  // A model that was asked again has given another opinion, even where it is the same one.
  const isAsked = asked !== undefined && asked.cost.calls > 0;
  if (last && !isAsked && isSame(last, said)) return { grade: last, isUnchanged: true };
  const { round, artifacts } = await keepFiles(files, grader, attempt.ref, 1 + (last?.round ?? 0), store);
  const grade: Grade = {
    ...said,
    round,
    ...(artifacts.length > 0 ? { artifacts } : {}),
    ...(isAsked ? { model: asked.model, cost: asked.cost } : {}),
    at: now(),
  };
  await store.appendGrades(attempt.ref, [grade]);
  return { grade, isUnchanged: false };
}

/** Before the grade, which names them. A kill between the two leaves files without a grade: they stay, and the next round is taken. */
async function keepFiles(
  files: ReadonlyMap<string, Uint8Array>,
  grader: Grader,
  ref: AttemptRef,
  from: number,
  store: RunStore,
): Promise<{ round: number; artifacts: string[] }> {
  const keys = (round: number): string[] => [...files.keys()].map((name) => `graders/${grader.name}/${round}/${name}`);
  let round = from;
  const [first] = keys(round);
  if (first === undefined) return { round, artifacts: [] };
  while (await store.artifact(ref, keys(round)[0] ?? first)) round++;
  const artifacts = keys(round);
  for (const [index, content] of [...files.values()].entries())
    await store.keepArtifact(ref, artifacts[index] ?? first, content);
  return { round, artifacts };
}

/** Whether a grader says what it said before. */
function isSame(last: Grade, said: NewAssessment): boolean {
  const { grader, version, verdict, score, reasoning, details } = last;
  return canonicalHash({ grader, version, verdict, score, reasoning, details }) === canonicalHash(said);
}
