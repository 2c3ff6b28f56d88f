/** A grader over attempts that people have labelled. The runs are only read: what the grader says here is not added to their grades. */
import { type AttemptRef, latestByGrader, type RunPlan } from '../../events/index.ts';
import { gradeAttempt, type JudgeModel, withVotes } from '../../graders/index.ts';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { readAttempt } from '../graders/attempt-reader.ts';
import { casesOfRun } from '../graders/cases-of-run.ts';
import { chooseGraders, type GradersOf } from '../graders/choose-graders.ts';
import { type Calibration, CalibrationFold, type Judged } from './calibration.ts';
import type { LabelFile, LabelledAttempt } from './read-labels.ts';

export interface AttemptCalibration {
  /** A name, a kind or a file, as `waymark grade` takes it. */
  readonly grader: string;
  readonly labels: LabelFile;
  /** Files of graders are relative to this. */
  readonly folder: string;
  /** Takes the grades that the runs have, in place of asking the grader. */
  readonly isRecorded?: boolean | undefined;
  readonly judges?: JudgeModel | undefined;
  readonly votes?: number | undefined;
  /** Attempts at a time. */
  readonly concurrency?: number | undefined;
  readonly signal: AbortSignal;
  readonly onJudged?: ((progress: CalibrationProgress) => void) | undefined;
}

export interface CalibrationProgress {
  readonly done: number;
  readonly total: number;
  readonly attempt: LabelledAttempt;
  readonly judged: Judged;
}

/** What was said, and by which model; null where none was asked. */
type Said = Judged & { readonly judge: string | null };

/** When it is stopped, the numbers are those of the lines that were judged. @throws where the grader can't be used, before anything is judged. */
export async function calibrateAttempts(options: AttemptCalibration): Promise<Calibration> {
  const { grader, labels, signal, concurrency = 1, onJudged } = options;
  const say = options.isRecorded ? (one: LabelledAttempt) => recorded(one, grader) : await asking(options);
  const open = labels.attempts.filter(({ label }) => label !== 'not_executable');
  const waiting = open.values();
  const said = new Map<number, Said>();
  const lanes = Array.from({ length: concurrency }, async () => {
    for (const attempt of waiting) {
      if (signal.aborted) return;
      const judged = await say(attempt);
      said.set(attempt.line, judged);
      onJudged?.({ done: said.size, total: open.length, attempt, judged });
    }
  });
  for (const lane of await Promise.allSettled(lanes))
    if (lane.status === 'rejected' && !signal.aborted) throw lane.reason;
  const notJudged = open.length - said.size;
  return { ...calibrationOf(options, said), ...(notJudged > 0 ? { notJudged } : {}) };
}

/** In the order of the file, whichever line was judged first. */
function calibrationOf({ grader, labels }: AttemptCalibration, said: ReadonlyMap<number, Said>): Calibration {
  const fold = new CalibrationFold();
  // A line that was not judged belongs to the one judge, where there is one.
  const names = new Set([...said.values()].flatMap(({ judge }) => judge ?? []));
  const [only = null] = names.size === 1 ? names : [];
  for (const { line, label } of labels.attempts) {
    const judged = said.get(line);
    if (label === 'not_executable') fold.leaveOut(only);
    else if (judged) fold.add(judged.judge ?? only, { line, label, ...judged });
  }
  return fold.result(grader, labels.about);
}

async function recorded({ root, ref }: LabelledAttempt, name: string): Promise<Said> {
  const grades = latestByGrader(await new FolderRunStore(root).grades(ref));
  const grade = grades.find(({ grader }) => grader === name);
  const attempt = nameOf(root, ref);
  if (!grade) return { attempt, verdict: 'skipped', reasoning: `The attempt has no grade of ${name}.`, judge: null };
  const { verdict, reasoning = '', model = null } = grade;
  return { attempt, verdict, reasoning, judge: model };
}

/** Each run's graders are made now, so that what can't be used is said before a model is asked. */
async function asking(options: AttemptCalibration): Promise<(one: LabelledAttempt) => Promise<Said>> {
  const { labels, grader, folder, judges, votes = 1, signal } = options;
  const runs = new Map<string, { store: FolderRunStore; plan: RunPlan | undefined; gradersOf: GradersOf }>();
  for (const { root, ref } of labels.attempts) {
    if (runs.has(root)) continue;
    const store = new FolderRunStore(root);
    const cases = await casesOfRun(store, ref.runId, folder);
    const gradersOf = await chooseGraders(cases, { graders: [grader], folder });
    runs.set(root, { store, plan: await store.plan(ref.runId), gradersOf });
  }
  return async ({ root, ref }) => {
    const run = runs.get(root);
    const oracleSteps = run?.plan?.oracleSteps?.[ref.caseId];
    const attempt = run && (await readAttempt({ store: run.store, ref, oracleSteps }));
    const one = attempt && run.gradersOf(attempt)[0];
    const about = { attempt: nameOf(root, ref) };
    if (!one) return { ...about, verdict: 'skipped', reasoning: `The case has no grader ${grader}.`, judge: null };
    const judge = one.needsModel ? judges?.forGrade(() => {}) : undefined;
    const { verdict, reasoning = '' } = await gradeAttempt(withVotes(one, votes), attempt, { signal, judge, keep });
    return { ...about, verdict, reasoning, judge: judge?.model ?? null, ...(judge ? { cost: judge.cost } : {}) };
  };
}

function nameOf(run: string, { caseId, trial, attempt }: AttemptRef): NonNullable<Judged['attempt']> {
  return { run, caseId, trial, attempt };
}

/** Files of a grade have no place here. */
function keep(): void {}
