/** `waymark run <dataset> --model kind:id`: questions asked of a model without a server; a folder with the journals, the grades and the reports. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { type ModelChoice, parseModelName } from '../models/index.ts';
import {
  accuracyText,
  countText,
  executeRun,
  FolderRunStore,
  MAX_CONCURRENCY,
  type QuestionChoices,
  type QuestionReportHead,
  type RunProgress,
  resolveRun,
  runTarget,
  writeQuestionReports,
} from '../runs/local.ts';
import type { FlagValues } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { gradeLine } from './grade-counts.ts';
import { gradingOf, judgeOf } from './grader-flags.ts';
import { count } from './number-flag.ts';
import { reportJson } from './report-json.ts';
import { splitOperands, temperatureIn } from './run-choices.ts';
import type { runFlags } from './run-flags.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

type Flags = FlagValues<typeof runFlags> & { model: string };

export async function runQuestions(
  flags: Flags,
  terminal: Terminal,
  operands: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const say = flags.json ? () => {} : (line: string) => terminal.err(`${line}\n`);
  const said = new Set<string>();
  // Most calls of a run give the same warnings.
  const sayOnce = (line: string): void => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
  const { places, run: given } = splitOperands(operands, flags.resume === true);
  const resolved = await resolveRun(questionChoices(flags, places, terminal));
  for (const { message } of resolved.warnings) say(`${terminal.paint('yellow', 'warning')}: ${message}`);
  const where = {
    out: flags.out,
    resume: flags.resume === true,
    run: given,
    cwd: terminal.cwd,
    continues: flags.new !== true,
  };
  const { root, run, isResumed, isEnded } = runTarget(resolved, where);
  using store = new FolderRunStore(root);
  const { gaveUp, isStopped } = await executeRun(run, {
    store,
    isResumed,
    isEnded,
    signal,
    env: terminal.env,
    onGrade: ({ attempt, grade }) => say(gradeLine(attempt, grade, terminal)),
    onStart: ({ finished, total }) => {
      if (isResumed) say(`run ${run.plan.runId} is resumed: ${finished} of ${total} have an answer`);
    },
    onProgress: (progress) => {
      for (const warning of progress.warnings ?? []) sayOnce(`${terminal.paint('yellow', 'warning')}: ${warning}`);
      say(progressLine(progress, terminal));
    },
    ...('verbose' in flags && flags.verbose === true
      ? { onEvent: (event: unknown) => terminal.err(`${JSON.stringify(event)}\n`) }
      : {}),
  });
  const head = await writeQuestionReports(root);
  if (gaveUp !== undefined) terminal.err(`Asking was given up: ${gaveUp}\n`);
  terminal.out(flags.json ? reportJson(root) : summaryText(head, root, terminal));
  if (isStopped) return EXIT.harness;
  return isWell(head) ? EXIT.ok : EXIT.checkFailed;
}

function questionChoices(flags: Flags, operands: readonly string[], { env, cwd }: Terminal): QuestionChoices {
  const [dataset, another] = operands;
  if (dataset === undefined || another !== undefined) {
    throw new WaymarkError({
      code: 'usage_one_file',
      message: dataset === undefined ? 'Give a dataset.' : `--model takes one dataset, but got ${operands.length}.`,
      hint: 'For example: waymark run questions.jsonl --model openai:gpt-5-mini',
    });
  }
  const model: ModelChoice = {
    ...parseModelName(flags.model),
    baseUrl: flags['base-url'],
    keyEnv: flags['key-env'],
  };
  return {
    dataset: path.resolve(cwd, dataset),
    model,
    params: {
      ...temperatureIn(flags.temperature),
      ...(flags['max-tokens'] === undefined ? {} : { max_tokens: count(flags['max-tokens'], 'max-tokens') }),
      ...(flags.system === undefined ? {} : { system: flags.system }),
    },
    experiment: flags.experiment,
    sections: flags.sections?.split(','),
    maxItems: count(flags['max-items'], 'max-items'),
    concurrency: count(flags.concurrency, 'concurrency', MAX_CONCURRENCY),
    requestsPerMinute: count(flags.rate, 'rate'),
    judge: judgeOf(flags, model),
    grading: gradingOf(flags, cwd, model),
    env,
    version: version(),
  };
}

function progressLine({ done, total, attempt, status, reason }: RunProgress, { paint }: Terminal): string {
  const mark = status === 'answered' ? status : paint('red', status);
  return `${String(done).padStart(String(total).length)}/${total}  ${attempt.caseId}  ${mark}${reason === '' ? '' : `  ${reason.split('\n')[0]}`}`;
}

function summaryText({ summary }: QuestionReportHead, root: string, { paint }: Terminal): string {
  const lines = [
    paint('bold', accuracyText(summary)),
    `${countText(summary)}; ${summary.scored} scored`,
    `report: ${path.join(root, 'report.html')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function isWell({ summary: { errors, missing, notScored } }: QuestionReportHead): boolean {
  return errors + missing + notScored === 0;
}
