/** `waymark env <tasks…>`: episodes that a program drives over HTTP, in any language. */
import path from 'node:path';
import { serveEnv } from '../env/index.ts';
import { FolderRunStore, writeReports } from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interruptible.ts';
import { numberIn } from './number-flag.ts';
import { runChoices } from './run-choices.ts';
import { runFlags } from './run-flags.ts';

export const envCommand = defineCommand({
  name: 'env',
  about: [
    'serves the tasks as an environment for programs that drive an episode themselves (trainers, notebooks, other languages): reset, step, evaluate and close over HTTP on this machine.',
    'Each session is an attempt of one run, with the same journal, caps and reports as any other. Prints the address and the token, and runs until Ctrl-C; then the reports are written.',
    'The token is that of WAYMARK_ENV_TOKEN, or a random one. docs/how-to/drive-episodes-over-http.md has an example in Python.',
  ].join('\n'),
  operands: { label: '<tasks…>', about: 'task files, or folders of them' },
  flags: {
    port: { type: 'string', value: '<number>', about: 'the port; default: any that is free' },
    concurrency: { type: 'string', value: '<n>', about: 'sessions at a time; default 8' },
    'expose-reward': {
      type: 'boolean',
      about: 'give reward and verdict after each step; the run is then marked: its agent was trained, not evaluated',
    },
    server: runFlags.server,
    task: runFlags.task,
    out: runFlags.out,
    'max-steps': runFlags['max-steps'],
    'max-duration-ms': runFlags['max-duration-ms'],
    browser: runFlags.browser,
    isolation: runFlags.isolation,
    'fresh-server': runFlags['fresh-server'],
    'until-done': runFlags['until-done'],
    'allow-guarded': runFlags['allow-guarded'],
    'no-screenshots': runFlags['no-screenshots'],
    json: { type: 'boolean', about: 'print one JSON object when ready, and nothing else' },
  },
  examples: [
    { line: 'waymark env tasks/', does: 'serve the tasks of a folder, eight sessions at a time' },
    { line: 'waymark env tasks/ --expose-reward --max-steps 20', does: 'for training: with reward after each step' },
  ],
  async run(flags, terminal, operands) {
    const say = flags.json ? () => {} : (line: string) => terminal.err(`${line}\n`);
    const { port, json: _json, 'expose-reward': exposeReward, ...given } = flags;
    const choices = await runChoices({ concurrency: '8', ...given }, operands, terminal);
    using interruption = interruptible(say);
    let root = '';
    await serveEnv({
      choices: { ...choices, exposeReward },
      openStore: (runId) => {
        root = path.resolve(terminal.cwd, flags.out ?? path.join('.waymark', 'runs', runId));
        return new FolderRunStore(root);
      },
      signal: interruption.signal,
      ...numberIn(port, 'port', 'port'),
      token: terminal.env['WAYMARK_ENV_TOKEN'],
      onReady: ({ url, token, tasks }) =>
        terminal.out(
          flags.json
            ? `${JSON.stringify({ url, token, run: root, tasks, pid: process.pid })}\n`
            : `${tasks.length} tasks at ${url}\ntoken: ${token}\nPress Ctrl-C to stop.\n`,
        ),
      onProgress: ({ attempt, status }) => say(`${attempt.caseId} (trial ${attempt.trial})  ${status}`),
      onNote: say,
    });
    await writeReports(root);
    say(`report: ${path.join(root, 'report.html')}`);
    return EXIT.ok;
  },
});
