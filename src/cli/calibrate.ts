/** `waymark calibrate`: how far a grader agrees with people. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import {
  type Calibration,
  type CalibrationProgress,
  calibrateAttempts,
  calibrateReplies,
  openJudge,
  readLabels,
  replyParserOf,
} from '../runs/local.ts';
import { calibrationText } from './calibrate-text.ts';
import { defineCommand, type FlagValues } from './command.ts';
import { EXIT } from './exit-code.ts';
import { gradingOf, judgeFlags } from './grader-flags.ts';
import { interruptible } from './interruptible.ts';
import { count } from './number-flag.ts';
import type { Terminal } from './terminal.ts';

const flags = {
  labels: {
    type: 'string',
    value: '<file>',
    about:
      'attempts with labels, one JSON object a line: caseId, label (pass or 1, fail or 0, not_executable or 2), and where needed trial, attempt, run',
  },
  run: { type: 'string', value: '<folder>', about: 'the run of the lines that name none' },
  recorded: { type: 'boolean', about: 'take the grades that the runs have; nothing is judged again' },
  replies: {
    type: 'string',
    value: '<file>',
    about:
      'recorded replies of a judge in place of attempts, one JSON object a line: reply, label (or human), and where there are several judges, judge',
  },
  concurrency: { type: 'string', value: '<n>', about: 'attempts at a time; default 4' },
  ...judgeFlags,
  json: { type: 'boolean', about: 'print the numbers and all differences as JSON and nothing else' },
} as const;
type Flags = FlagValues<typeof flags>;

export const calibrateCommand = defineCommand({
  name: 'calibrate',
  about: [
    'measures how far a grader agrees with people: precision, recall, specificity, agreement and Cohen’s κ, each with its 95 % interval.',
    'Runs are only read: what the grader says here is not added to their grades. Lines without a verdict (error, skipped) are counted beside the numbers, and cases that could not be executed are left out.',
    'Exit code: 0 measured, 1 nothing could be compared, 2 an unknown grader or lines that can’t be used (each is named), 3 it was stopped.',
  ].join('\n'),
  operands: { label: '<grader>', about: 'a name, a kind or a file, as for `waymark grade`' },
  flags,
  examples: [
    {
      line: 'waymark calibrate webjudge --labels labels.jsonl --run .waymark/runs/<run-id> --judge-model openai:o4-mini',
      does: 'ask the judge about labelled attempts',
    },
    {
      line: 'waymark calibrate webjudge --labels labels.jsonl --run .waymark/runs/<run-id> --recorded',
      does: 'compare the grades that the run has already',
    },
    { line: 'waymark calibrate webjudge --replies replies.jsonl', does: 'read recorded replies; no model is asked' },
  ],
  async run(given, terminal, operands) {
    const grader = graderOf(operands);
    const calibration = await calibrate(grader, given, terminal);
    terminal.out(given.json ? `${JSON.stringify(calibration, null, 2)}\n` : calibrationText(calibration, terminal));
    if (calibration.notJudged !== undefined) return EXIT.harness;
    return calibration.judges.some(({ compared }) => compared > 0) ? EXIT.ok : EXIT.checkFailed;
  },
});

async function calibrate(grader: string, given: Flags, terminal: Terminal): Promise<Calibration> {
  const { cwd, env } = terminal;
  const { labels, replies, run } = given;
  if ((labels === undefined) === (replies === undefined)) {
    throw new WaymarkError({
      code: 'usage_missing_value',
      message: labels === undefined ? 'Give --labels or --replies.' : '--labels and --replies exclude each other.',
      hint: 'See docs/how-to/calibrate-a-judge.md.',
    });
  }
  if (replies !== undefined) return calibrateReplies(path.resolve(cwd, replies), grader, replyParserOf(grader));
  const read = readLabels(path.resolve(cwd, labels ?? ''), run === undefined ? undefined : path.resolve(cwd, run));
  const { judge, votes, limits } = gradingOf(given, cwd);
  const say = given.json ? () => {} : (line: string) => terminal.err(`${line}\n`);
  using interruption = interruptible(say);
  return await calibrateAttempts({
    grader,
    labels: read,
    folder: cwd,
    isRecorded: given.recorded,
    judges: judge && !given.recorded ? (await openJudge(judge, { env, limits })).judges : undefined,
    votes,
    concurrency: count(given.concurrency, 'concurrency', 100) ?? 4,
    signal: interruption.signal,
    onJudged: (progress) => say(progressLine(progress)),
  });
}

function graderOf([grader, another]: readonly string[]): string {
  if (grader !== undefined && another === undefined) return grader;
  throw new WaymarkError({
    code: 'usage',
    message: grader === undefined ? 'Give the grader to calibrate.' : 'Calibrate one grader at a time.',
    hint: 'For example: waymark calibrate webjudge --labels labels.jsonl --run .waymark/runs/<run-id>',
  });
}

function progressLine({ done, total, attempt: { ref, label }, judged }: CalibrationProgress): string {
  const hasVerdict = judged.verdict === 'pass' || judged.verdict === 'fail';
  const mark = judged.verdict === label ? 'same' : hasVerdict ? 'differs' : 'not compared';
  const name = ref.trial > 1 ? `${ref.caseId} (trial ${ref.trial})` : ref.caseId;
  return `${String(done).padStart(String(total).length)}/${total}  ${name}  ${judged.verdict}, labelled ${label}: ${mark}`;
}
