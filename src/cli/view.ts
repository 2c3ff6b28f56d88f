/** `waymark view`: shows the report of a run in a browser. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { serveRun } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interruptible.ts';
import { openBrowser } from './open-browser.ts';
import { portOf } from './port-flag.ts';
import { runFolder, runOperand } from './run-operand.ts';

export const viewCommand = defineCommand({
  name: 'view',
  about: [
    'serves the HTML report of a run on this machine and opens it in your browser, until Ctrl-C.',
    'Only files of the run’s folder are served, for reading, on 127.0.0.1.',
    'Exit code: 0 stopped, 2 no run or no report, 3 the port can’t be used.',
  ].join('\n'),
  operands: runOperand,
  flags: {
    port: { type: 'string', value: '<number>', about: 'the port; 0 means any free port (0)' },
    'no-open': { type: 'boolean', about: 'only print the address' },
    json: { type: 'boolean', about: 'print one JSON object when ready, and nothing else; opens nothing' },
  },
  examples: [
    { line: 'waymark view .waymark/runs/<run-id>', does: 'open the report' },
    { line: 'waymark view .waymark/runs/<run-id> --no-open --port 8123', does: 'on a machine that you reach by SSH' },
  ],
  async run(flags, terminal, operands) {
    using interruption = interruptible(() => {});
    const root = runFolder('view', operands, terminal);
    if (!existsSync(path.join(root, 'report.html'))) {
      throw new WaymarkError({
        code: 'usage_no_such_file',
        message: `The run ${root} has no report.html.`,
        hint: `Make it first: waymark report ${root}`,
      });
    }
    await using served = await serveRun(root, { port: portOf(flags.port, 0) });
    if (flags.json) terminal.out(`${JSON.stringify({ url: served.url, folder: root, pid: process.pid })}\n`);
    else terminal.out(`The report is at ${terminal.paint('bold', served.url)}\nPress Ctrl-C to stop.\n`);
    if (!flags.json && !flags['no-open']) openBrowser(served.url);
    await aborted(interruption.signal);
    return EXIT.ok;
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
