/**
 * The self-test of tasks: their oracles and second solutions pass; doing nothing, the start page, and what is almost the solution do not. The
 * near misses are made from what the oracle did, so that there are two runs: first the oracles, then everything that is close to them.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { readTranscript, type Transcript } from '../../agents/transcript.ts';
import type { LoadedTask } from '../../cases/index.ts';
import { leavesOf } from '../../contracts/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { deciderOf } from '../../events/index.ts';
import type { AgentChoice } from '../agent-choice.ts';
import type { ExecuteOptions } from '../execution.ts';
import { resolveRun } from '../resolve-run.ts';
import type { TaskChoices } from '../resolve-tasks.ts';
import { hashWithoutCaps } from '../run-inputs.ts';
import { type CheckFinding, finding } from './check-finding.ts';
import { type GivenTranscript, givenTranscripts } from './given-transcripts.ts';
import { judgeGiven, judgeNearMiss, judgeNothingDone, judgeOracle } from './judge-trials.ts';
import { type NearMiss, nearMisses } from './near-misses.ts';
import { runTrials, type Trial, type TrialEnd, type TrialOptions } from './run-trials.ts';

export interface CheckedTask {
  taskId: string;
  source: string;
  /** Of the task without its caps, as the inputs of a run have it. */
  hash: string;
  /** How many attempts its findings are of. */
  attempts: number;
  /** How many of them are other solutions than the oracle, and how many near misses. */
  solutions: number;
  nearMisses: number;
  findings: CheckFinding[];
}

export interface CheckProgress {
  done: number;
  total: number;
  taskId: string;
  /** What was tried: `oracle`, `without step 3 (click #gift)`. */
  about: string;
  status: string;
}

export interface CheckOptions extends Pick<ExecuteOptions, 'signal' | 'env' | 'onNote'> {
  /** Everything of a run but its agent. */
  choices: TaskChoices;
  /** Two runs are put into it. */
  root: string;
  /** Only what the suite brings: no near misses are made. */
  quick?: boolean | undefined;
  onProgress?: ((progress: CheckProgress) => void) | undefined;
}

const CHECK_RUNS = { solutions: 'solutions', nearMisses: 'near-misses' } as const;

interface Subject {
  loaded: LoadedTask;
  oracle: Transcript;
  given: GivenTranscript[];
  findings: CheckFinding[];
  attempts: number;
  solutions: number;
  nearMisses: number;
}

/** A trial, what it tries in words, and what its end says. */
interface Planned extends Trial {
  subject: Subject;
  about: string;
  judge: (end: TrialEnd) => CheckFinding[];
}

/** @throws where tasks, transcripts or choices are wrong; nothing was run then. */
export async function checkTasks({
  choices,
  root,
  quick,
  onProgress,
  ...options
}: CheckOptions): Promise<CheckedTask[]> {
  const { tasks, places, profile } = await resolveRun({ ...choices, agent: NO_AGENT });
  const checked = new Map<string, CheckedTask | Subject>();
  const given = new Map([...new Set([...tasks.values()].map(folderOf))].map((at) => [at, givenTranscripts(at)]));
  if (places.every(isFolder) && !choices.only && !choices.tags && !choices.categories) refuseOrphans(given, tasks);
  for (const [id, loaded] of tasks) checked.set(id, subjectOf(loaded, given.get(folderOf(loaded)) ?? []));
  const subjects = [...checked.values()].filter((one) => 'oracle' in one);
  const { only: _only, tags: _tags, categories: _categories, ...rest } = choices;
  const ends = new Map<Subject, TrialEnd>();
  const idle = new Set<Subject>();
  const run = async (planned: readonly Planned[], name: string): Promise<void> => {
    const byId = new Map(planned.map((trial) => [trial.id, trial]));
    const trialOptions: TrialOptions = {
      ...options,
      choices: rest,
      places,
      profile,
      root: path.join(root, name),
      onProgress: ({ done, total, attempt, status }) => {
        const { subject, about } = byId.get(attempt.caseId) ?? {};
        onProgress?.({ done, total, taskId: subject?.loaded.task.id ?? '', about: about ?? '', status });
      },
    };
    for (const [id, end] of await runTrials(planned, trialOptions)) {
      const trial = byId.get(id);
      if (!trial) continue;
      trial.subject.attempts++;
      if (name === CHECK_RUNS.nearMisses) trial.subject.nearMisses++;
      else if (trial.about !== ORACLE && trial.about !== NOTHING) trial.subject.solutions++;
      const found = trial.judge({ ...end, folder: path.join(name, end.folder) });
      trial.subject.findings.push(...found);
      if (trial.about === ORACLE) ends.set(trial.subject, end);
      if (trial.about === NOTHING && end.passed) idle.add(trial.subject);
    }
  };
  await run(subjects.flatMap(solutionsOf), CHECK_RUNS.solutions);
  // What is close to a solution says nothing where the solution does not work, or where nothing has to be done.
  const passing = subjects.filter((subject) => ends.get(subject)?.passed && !idle.has(subject));
  await run(
    passing.flatMap((subject) => closeTo(subject, ends.get(subject), quick === true)),
    CHECK_RUNS.nearMisses,
  );
  return [...checked.values()].map(reportOf);
}

const ORACLE = 'oracle';
const NOTHING = 'doing nothing';
const NONE_TRIED = { attempts: 0, solutions: 0, nearMisses: 0 };
const NO_AGENT: AgentChoice = {
  kind: 'scripted',
  make: () => {
    throw new Error('The tasks are only resolved.');
  },
};

function isFolder(place: string): boolean {
  return statSync(place).isDirectory();
}

/** A name that is misspelt would mean that a transcript is never tried. */
function refuseOrphans(
  given: ReadonlyMap<string, readonly GivenTranscript[]>,
  tasks: ReadonlyMap<string, LoadedTask>,
): void {
  for (const [folder, transcripts] of given) {
    const orphan = transcripts.find(({ transcript }) => !tasks.has(transcript.task));
    if (orphan)
      throw new WaymarkError({
        code: 'usage_bad_transcript',
        message: `${path.join(folder, orphan.file)} is for the task "${orphan.transcript.task}", which is not in its folder. Nothing was run.`,
        hint: 'Correct its "task", or remove the file.',
      });
  }
}

function folderOf({ folder }: LoadedTask): string {
  return folder;
}

function subjectOf(loaded: LoadedTask, given: readonly GivenTranscript[]): CheckedTask | Subject {
  const { id, oracle } = loaded.task;
  const subject = { loaded, ...NONE_TRIED, given: given.filter(({ transcript }) => transcript.task === id) };
  if (oracle !== undefined)
    return { ...subject, oracle: readTranscript(path.resolve(loaded.folder, oracle)), findings: [] };
  const message = 'The task has no oracle: that it can be done was not shown. Give it a transcript that passes.';
  return { ...nameOf(loaded), ...NONE_TRIED, findings: [finding('no_oracle', message)] };
}

function solutionsOf(subject: Subject): Planned[] {
  const { loaded, oracle } = subject;
  const { id } = loaded.task;
  const { moves: _moves, answer: _answer, ...empty } = oracle;
  return [
    {
      ...{ id: `${id}.oracle`, loaded, subject, transcript: oracle, about: ORACLE },
      judge: (end) => judgeOracle(end, oracle.moves.length),
    },
    {
      ...{ id: `${id}.no-op`, loaded, subject, transcript: { ...empty, moves: [] }, about: NOTHING },
      judge: (end) => judgeNothingDone(end, loaded.task.holdsAtStart),
    },
    ...givenTo(subject, 'solution'),
  ];
}

function closeTo(subject: Subject, oracle: TrialEnd | undefined, quick: boolean): Planned[] {
  const { loaded } = subject;
  if (!oracle) return [];
  const { task } = loaded;
  const asksForAnswer =
    deciderOf(task) !== undefined || [...leavesOf(task.success)].some(({ kind }) => kind === 'answer');
  const made = quick ? [] : nearMisses(subject.oracle, { ...oracle, asksForAnswer });
  return [
    ...givenTo(subject, 'near_miss'),
    ...made.map((miss): Planned => {
      const { transcript, about } = miss;
      const id = `${task.id}.${idOf(miss)}`;
      return { id, loaded, subject, transcript, about, judge: (end) => judgeNearMiss(miss, end, oracle) };
    }),
  ];
}

function givenTo(subject: Subject, kind: GivenTranscript['kind']): Planned[] {
  const { loaded, given } = subject;
  return given
    .filter((one) => one.kind === kind)
    .map((one, index) => ({
      ...{ id: `${loaded.task.id}.${kind}-${index + 1}`, loaded, subject, transcript: one.transcript },
      about: one.file,
      judge: (end) => judgeGiven(one, end),
    }));
}

function idOf({ kind, step }: NearMiss): string {
  return step === undefined ? kind : `${kind}-${step}`;
}

function reportOf(one: CheckedTask | Subject): CheckedTask {
  if (!('oracle' in one)) return one;
  const { loaded, attempts, solutions, nearMisses, findings } = one;
  return { ...nameOf(loaded), attempts, solutions, nearMisses, findings };
}

function nameOf({ task, source }: LoadedTask): Pick<CheckedTask, 'taskId' | 'source' | 'hash'> {
  return { taskId: task.id, source, hash: hashWithoutCaps(task) };
}
