/** `waymark import-capture`: what the page downloaded becomes a run. */
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { harnessFlags, openHarnessApi, readOperand } from './harness-api.ts';

export const importCaptureCommand = defineCommand({
  name: 'import-capture',
  about: [
    'imports the capture of a chat page: a *.eval752.zip or its JSON fallback. It becomes a run, and is scored when a server runs.',
    'The same file twice is one run.',
  ].join('\n'),
  operands: { label: '<capture>', about: 'the file that the page downloaded' },
  flags: harnessFlags,
  renamed: { server: 'api' },
  examples: [
    { line: 'waymark import-capture capture.eval752.zip', does: 'into the folder .waymark/data' },
    {
      line: 'waymark import-capture capture.eval752.zip --api http://127.0.0.1:7520',
      does: 'into a server that runs',
    },
  ],
  async run(flags, terminal, operands) {
    const body = readOperand(operands, 'the capture', terminal);
    await using api = await openHarnessApi(flags, terminal);
    const answer = await api.call('post', '/browser-harness/imports', { file: new Blob([body]) });
    if (flags.json) {
      terminal.out(`${JSON.stringify(answer)}\n`);
      return EXIT.ok;
    }
    const { run_id, provider_name, counts, warnings } = answer;
    const what =
      'duplicate' in answer
        ? 'This capture was imported before'
        : 'merged' in answer
          ? 'Added to an earlier part'
          : 'Imported';
    terminal.out(
      `${what}: run ${run_id} of ${provider_name} (self-reported capture)\n` +
        `${counts.answered} of ${counts.expected} items answered, ${counts.errored} with errors, ${counts.missing} missing\n`,
    );
    for (const { message } of warnings) terminal.out(`${terminal.paint('yellow', 'warning')}: ${message}\n`);
    return EXIT.ok;
  },
});
