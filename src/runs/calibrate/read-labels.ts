/** People's labels of attempts: which attempt of which run, and whether it passed. Everything is looked up before anything is judged. */
import path from 'node:path';
import * as z from 'zod';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import type { AttemptRef } from '../../events/index.ts';
import { attemptsOf } from '../folder/attempt-folders.ts';
import { type RunFile, readRunFile } from '../folder/run-file.ts';
import { type Label, labelSchema } from './label.ts';
import { type LineProblem, readLines, refuseLines } from './read-lines.ts';

const lineSchema = z.strictObject({
  /** The folder of a run, relative to the file of labels; by default the run of the command. */
  run: z.string().min(1).optional(),
  caseId: z.string().min(1),
  trial: z.int().min(1).default(1),
  /** By default the attempt that counts. */
  attempt: z.int().min(1).optional(),
  label: labelSchema,
  /** For people. */
  note: z.string().optional(),
});
type LabelLine = z.infer<typeof lineSchema>;

export interface LabelledAttempt {
  readonly line: number;
  readonly label: Label;
  /** The folder of its run. */
  readonly root: string;
  readonly ref: AttemptRef;
}

export interface LabelFile {
  readonly about?: string | undefined;
  readonly attempts: readonly LabelledAttempt[];
}

/** @param run The folder of the run that lines without one are about. */
export function readLabels(file: string, run?: string): LabelFile {
  const { about, lines } = readLines(file, lineSchema);
  const problems: LineProblem[] = [];
  const attempts: LabelledAttempt[] = [];
  const runs = new Map<string, RunFile | string>();
  const firstLine = new Map<string, number>();
  for (const { line, value } of lines) {
    const found = lookUp(value, file, run, runs);
    if (typeof found === 'string') {
      problems.push({ line, message: found });
      continue;
    }
    const key = JSON.stringify([found.root, found.ref]);
    const first = firstLine.get(key);
    if (first !== undefined) problems.push({ line, message: `Line ${first} labels the same attempt.` });
    else attempts.push({ line, label: value.label, ...found });
    firstLine.set(key, first ?? line);
  }
  refuseLines(file, problems);
  return { about, attempts };
}

/** The attempt of a line, or what is wrong with it. */
function lookUp(
  { run: named, caseId, trial, attempt }: LabelLine,
  file: string,
  run: string | undefined,
  runs: Map<string, RunFile | string>,
): Pick<LabelledAttempt, 'root' | 'ref'> | string {
  const root = named === undefined ? run : path.resolve(path.dirname(file), named);
  if (root === undefined) return 'It names no run, and --run was not given.';
  const known = runs.get(root) ?? runFileOf(root);
  runs.set(root, known);
  if (typeof known === 'string') return known;
  const { plan } = known;
  const cells = plan.cells.filter((cell) => cell.caseId === caseId);
  if (cells.length === 0) return `The run ${root} has no case "${caseId.slice(0, 100)}".`;
  const cell = cells.find((one) => one.trial === trial);
  if (!cell) return `The case ${caseId} has no trial ${trial} in ${root}.`;
  const finished = attemptsOf(root, cell, known.notBegun).filter((one) => one.finished);
  const wanted = attempt === undefined ? finished.at(-1) : finished.find((one) => one.attempt === attempt);
  if (!wanted)
    return `The case ${caseId}, trial ${trial}, has no finished attempt${attempt === undefined ? '' : ` ${attempt}`}.`;
  return { root, ref: { runId: plan.runId, caseId, trial, attempt: wanted.attempt } };
}

function runFileOf(root: string): RunFile | string {
  try {
    return readRunFile(root);
  } catch (thrown) {
    if (thrown instanceof WaymarkError) return messageOf(thrown);
    throw thrown;
  }
}
