/**
 * `npm run bench:episode -- --tasks <dir> --adapter mock [--task id] [--max-steps n] [--out dir]`: `waymark run` with the flag names of the
 * original benchmark, and all journals in one file beside the reports.
 */
import { parseFlags } from '../src/cli/parse.ts';
import { reportError } from '../src/cli/report-error.ts';
import { runCommandLine } from '../src/cli/run.ts';
import { runFlags } from '../src/cli/run-flags.ts';
import { holdStopSignals } from '../src/cli/stop-signals.ts';
import { processTerminal } from '../src/cli/terminal.ts';

holdStopSignals();

const { task, 'max-steps': maxSteps, out, server, concurrency, json, resume } = runFlags;
const flags = {
  tasks: { type: 'string', value: '<folder>', about: 'the tasks; default: fixtures/tasks' },
  adapter: { type: 'string', value: '<agent>', about: 'the agent; default: mock' },
  ...{ task, 'max-steps': maxSteps, out, server, concurrency, json, resume },
} as const;

/** The same as a command line of `waymark run`. */
function runLine(args: readonly string[]): string[] {
  const {
    tasks = 'fixtures/tasks',
    adapter = 'mock',
    ...rest
  } = parseFlags({ name: 'bench:episode', flags }, args).flags;
  const passed = Object.entries(rest).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  return ['run', String(tasks), '--agent', String(adapter), '--join-journals', ...passed];
}

const terminal = processTerminal();
const args = process.argv.slice(2);
try {
  process.exitCode = await runCommandLine(runLine(args), terminal);
} catch (thrown) {
  process.exitCode = reportError(thrown, { json: args.includes('--json'), verbose: false }, terminal);
}
