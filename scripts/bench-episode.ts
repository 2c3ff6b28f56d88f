/**
 * `npm run bench:episode -- --tasks <dir> --adapter mock [--task id] [--max-steps n] [--out dir]`: `waymark run` with the flag names of the
 * original benchmark.
 */
import { parseArgs } from 'node:util';
import { runCommandLine } from '../src/cli/run.ts';
import { processTerminal } from '../src/cli/terminal.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: 'fixtures/tasks' },
    adapter: { type: 'string', default: 'mock' },
    task: { type: 'string' },
    'max-steps': { type: 'string' },
    out: { type: 'string' },
    server: { type: 'string' },
    concurrency: { type: 'string' },
    json: { type: 'boolean' },
    resume: { type: 'boolean' },
  },
});
const { tasks, adapter, json, resume, ...rest } = values;
const flags = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
process.exitCode = await runCommandLine(
  ['run', tasks, '--agent', adapter, ...flags, ...(json ? ['--json'] : []), ...(resume ? ['--resume'] : [])],
  processTerminal(),
);
