/** `waymark merge`: the runs of all shards become one run. */
import path from 'node:path';
import { mergeRuns, unfinishedText } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { reportJson } from './report-json.ts';
import { parseReporters, writeDocuments } from './reporters.ts';
import { runFlags } from './run-flags.ts';

export const mergeCommand = defineCommand({
  name: 'merge',
  about: [
    'joins the runs of all shards (waymark run --shard i/n) into one run, with the reports of the whole.',
    'The result is the run that one command without --shard would have made: the same cells, inputs and suite. The parts stay as they are.',
    'Exit code: 0 all passed, 1 some did not, 2 the runs are not all shards of one run, or one has not finished.',
  ].join('\n'),
  operands: { label: '<runs…>', about: 'the folders of the runs, one per shard, in any order' },
  flags: {
    out: { type: 'string', value: '<folder>', about: 'the folder of the new run; default .waymark/runs/<run-id>' },
    reporter: runFlags.reporter,
    json: { type: 'boolean', about: 'print the report as JSON and nothing else' },
  },
  examples: [
    { line: 'waymark merge shard-1/ shard-2/ --out runs/all', does: 'one run of two parts' },
    { line: 'waymark merge shards/* --reporter junit=results.xml', does: 'the same, and a test report of the whole' },
  ],
  async run(flags, terminal, operands) {
    const reporters = parseReporters(flags.reporter, terminal, flags);
    const { root, report } = await mergeRuns({ runs: operands, out: flags.out, cwd: terminal.cwd });
    const { summary } = report;
    const left = unfinishedText(summary);
    if (flags.json) terminal.out(reportJson(root));
    else if (!reporters.takesOutput)
      terminal.out(
        `${summary.passed} of ${summary.planned} passed${left === undefined ? '' : `\n${left}`}\nreport: ${path.join(root, 'report.html')}\n`,
      );
    writeDocuments(root, reporters, terminal);
    return summary.passed === summary.planned ? EXIT.ok : EXIT.checkFailed;
  },
});
