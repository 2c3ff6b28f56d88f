/** `waymark import-trace`: traces that were made elsewhere become a run. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { importTraces } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { reportJson } from './report-json.ts';
import { version } from './version.ts';

export const importTraceCommand = defineCommand({
  name: 'import-trace',
  about: [
    'imports traces of an agent that ran elsewhere, so that they can be viewed and graded: an ATIF trajectory, or stream events of the AI SDK.',
    'Several traces are trials of one task. The harness did not see the browser: the contract is not judged, and the outcome is not the agent’s failure. What has no place in a journal is counted and said.',
    'Exit code: 0 imported, 2 a trace or the task can’t be used, 3 the folder can’t be written.',
  ].join('\n'),
  operands: { label: '<trace…>', about: 'JSON (ATIF), or JSON lines, a JSON array or server-sent events (AI SDK)' },
  flags: {
    task: { type: 'string', value: '<file>', about: 'the task that the agent worked on' },
    out: { type: 'string', value: '<folder>', about: 'the folder of the run (.waymark/runs/<run-id>)' },
    json: { type: 'boolean', about: 'print the report as JSON and nothing else' },
  },
  examples: [
    { line: 'waymark import-trace trajectory.json --task tasks/send-form.json', does: 'one ATIF trajectory' },
    {
      line: 'waymark import-trace one.jsonl two.jsonl --task tasks/send-form.json --out runs/elsewhere',
      does: 'two trials, into a folder',
    },
  ],
  async run(flags, terminal, files) {
    if (files.length === 0 || flags.task === undefined) {
      throw new WaymarkError({
        code: 'usage',
        message: files.length === 0 ? 'Give a trace to import.' : 'Give the task that the agent worked on.',
        hint: 'For example: waymark import-trace trajectory.json --task tasks/send-form.json',
      });
    }
    const { cwd } = terminal;
    const imported = await importTraces({ files, task: flags.task, out: flags.out, cwd, version: version() });
    const { root, traces } = imported;
    if (flags.json) {
      terminal.out(reportJson(root));
      return EXIT.ok;
    }
    for (const { file, format, parts, unmapped } of traces) {
      const calls = parts.filter(({ type }) => type === 'call').length;
      terminal.out(`${file}: ${format}, ${calls} ${calls === 1 ? 'call' : 'calls'}\n`);
      for (const [what, count] of unmapped)
        terminal.out(`  ${terminal.paint('yellow', 'not imported')}: ${what} (${count})\n`);
    }
    terminal.out(
      `The contract was not judged: the harness did not see the browser.\nreport: ${path.join(root, 'report.html')}\n`,
    );
    return EXIT.ok;
  },
});
