/** `waymark grade`: further graders over the attempts of a finished run. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import {
  casesOfRun,
  endedAs,
  FolderRunStore,
  GRADED_AGAIN,
  type GradedAgain,
  gradeRun,
  isQuestionRun,
  prepareGrading,
  readRunFile,
  writeQuestionReports,
  writeReports,
} from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { GradeCounts, gradeLine } from './grade-counts.ts';
import { graderFlags, gradingOf } from './grader-flags.ts';
import { interruptible } from './interruptible.ts';
import { count } from './number-flag.ts';
import { runFolder, runOperand } from './run-operand.ts';

export const gradeCommand = defineCommand({
  name: 'grade',
  about: [
    'grades the attempts of a finished run again, by the graders that its cases name or by others, and writes the reports anew.',
    'Grades are appended: nothing that is there is changed. A grader that asks no model and says what it said before appends nothing. The verdict that decides stays that of the contract or the checker, unless the case names another grader.',
    'Exit code: 0 graded, 1 a grader gave an error somewhere, 2 no run or an unknown grader, 3 it was stopped or the folder can’t be written.',
  ].join('\n'),
  operands: runOperand,
  flags: {
    ...graderFlags,
    only: {
      type: 'string',
      value: '<failed|passed|ungraded>',
      about: 'only attempts that failed, only those that passed, or only those that the grader has no verdict for',
    },
    tasks: {
      type: 'string',
      value: '<folder>',
      about: 'the folder of the tasks, which programs and modules of their graders are relative to; default: here',
    },
    concurrency: { type: 'string', value: '<n>', about: 'attempts at a time; default 4' },
    api: {
      type: 'string',
      value: '<http://…>',
      about:
        'the address of a Waymark server: the run is one of its own, by its id; its token, if it has one, in WAYMARK_TOKEN',
    },
    judge: { type: 'string', value: '<name|id>', about: 'with --api: the API provider of the judge' },
    json: { type: 'boolean', about: 'print the counts as JSON and nothing else' },
  },
  examples: [
    { line: 'waymark grade .waymark/runs/<run-id>', does: 'grade by what the cases name' },
    {
      line: 'waymark grade .waymark/runs/<run-id> --grader webjudge --judge-model openai:o4-mini --only failed',
      does: 'ask a judge about what the contract failed',
    },
    { line: 'waymark grade .waymark/runs/<run-id> --grader ./my-grader.ts', does: 'grade by a module of yours' },
    {
      line: 'waymark grade <run-id> --api http://127.0.0.1:7520 --grader rubric --judge OpenAI --judge-model gpt-5-mini',
      does: 'grade the answers of a run that a server keeps',
    },
  ],
  async run(flags, terminal, operands) {
    if (flags.api !== undefined) {
      // Loads the server and the database, which a run in a folder does not need.
      const { gradeOnServer } = await import('./grade-on-server.ts');
      return gradeOnServer({ ...flags, api: flags.api }, terminal, operands);
    }
    const root = runFolder('grade', operands, terminal);
    const only = onlyOf(flags.only);
    const say = flags.json ? () => {} : (line: string) => terminal.err(`${line}\n`);
    const { runId } = readRunFile(root).plan;
    using store = new FolderRunStore(root);
    const cases = await casesOfRun(store, runId, path.resolve(terminal.cwd, flags.tasks ?? '.'));
    const { used, ...grading } = await prepareGrading(cases, gradingOf(flags, terminal.cwd), terminal.env);
    using interruption = interruptible(say);
    const counts = new GradeCounts();
    const isStopped = await gradeRun({
      ...grading,
      store,
      runId,
      ...(only === undefined || only === 'ungraded'
        ? {}
        : { isWanted: (attempt, grades) => endedAs(only, attempt, grades) }),
      onlyUngraded: only === 'ungraded',
      concurrency: count(flags.concurrency, 'concurrency', 100) ?? 4,
      signal: interruption.signal,
      onGrade: ({ attempt, grade, isUnchanged }) => {
        counts.add(grade, isUnchanged);
        say(gradeLine(attempt, grade, terminal));
      },
    }).then(
      () => false,
      (error: unknown) => {
        if (!interruption.signal.aborted) throw error;
        return true;
      },
    );
    if (counts.isEmpty && !isStopped) say('No attempt was graded: no case names a grader, or none is wanted.');
    await (isQuestionRun(root) ? writeQuestionReports(root) : writeReports(root));
    const { calls, usd } = used();
    if (flags.json)
      terminal.out(`${JSON.stringify({ runId, graders: counts.list(), judge: { calls, usd } }, null, 2)}\n`);
    else terminal.out(`${counts.lines(terminal.paint).join('\n')}\nreport: ${path.join(root, 'report.html')}\n`);
    if (isStopped) return EXIT.harness;
    return counts.hasErrors ? EXIT.checkFailed : EXIT.ok;
  },
});

function onlyOf(given: string | undefined): GradedAgain | undefined {
  const only = GRADED_AGAIN.find((known) => known === given);
  if (given === undefined || only !== undefined) return only;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `--only is one of ${GRADED_AGAIN.join(', ')}, but got "${given}".`,
  });
}
