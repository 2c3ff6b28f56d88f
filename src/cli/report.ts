/** `waymark report`: rebuilds every file of a run that is not a journal. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { accuracyText, isQuestionRun, unfinishedText, writeQuestionReports, writeReports } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { reportJson } from './report-json.ts';
import { parseReporters, writeDocuments } from './reporters.ts';
import { runFlags } from './run-flags.ts';
import { runFolder, runOperand } from './run-operand.ts';

export const reportCommand = defineCommand({
  name: 'report',
  about: [
    'rebuilds the reports of a run from its journals alone.',
    'Writes report.json, report.md and report.html into the run’s folder, for tasks also reports/. The same journals give the same bytes.',
    'Exit code: 0 written (whether tasks passed or not), 2 no run, 3 a journal is damaged or the folder can’t be written.',
  ].join('\n'),
  operands: runOperand,
  flags: {
    'join-journals': runFlags['join-journals'],
    reporter: {
      type: 'string',
      isList: true,
      value: '<name[=file],…>',
      about: 'also write the run as junit, github (step summary), json or html, each with a file: junit=results.xml',
    },
    json: { type: 'boolean', about: 'print the report as JSON and nothing else' },
  },
  examples: [
    {
      line: 'waymark report .waymark/runs/<run-id>',
      does: 'rebuild the reports, e.g. with a newer version of Waymark',
    },
    { line: 'waymark report .waymark/runs/<run-id> --json', does: 'the same, and print report.json' },
  ],
  async run(flags, terminal, operands) {
    const root = runFolder('report', operands, terminal);
    const reporters = parseReporters(flags.reporter, terminal, flags);
    if (flags.reporter !== undefined && isQuestionRun(root))
      throw new WaymarkError({
        code: 'usage_bad_value',
        message: '--reporter is for runs of tasks, and this is a run of questions.',
      });
    const line = isQuestionRun(root)
      ? accuracyText((await writeQuestionReports(root)).summary)
      : await taskLine(root, flags['join-journals']);
    if (flags.json) terminal.out(reportJson(root));
    else if (!reporters.takesOutput) terminal.out(`${line}\nreport: ${path.join(root, 'report.html')}\n`);
    writeDocuments(root, reporters, terminal);
    return EXIT.ok;
  },
});

async function taskLine(root: string, joinJournals?: boolean): Promise<string> {
  const { summary } = (await writeReports(root, { joinJournals })).report;
  const left = unfinishedText(summary);
  return `${summary.passed} of ${summary.planned} passed${left === undefined ? '' : `\n${left}`}`;
}
