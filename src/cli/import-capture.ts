/** `waymark import-capture`: what the page downloaded becomes a run. */
import { z } from 'zod';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { harnessFlags, openHarnessApi, readOperand } from './harness-api.ts';

const answerSchema = z.looseObject({
  run_id: z.string(),
  provider_name: z.string(),
  duplicate: z.boolean().optional(),
  counts: z.object({ expected: z.int(), answered: z.int(), errored: z.int(), missing: z.int() }),
  warnings: z.array(z.object({ message: z.string() })),
});

export const importCaptureCommand = defineCommand({
  name: 'import-capture',
  about: [
    'imports the capture of a chat page: a *.eval752.zip or its JSON fallback. It becomes a run, and is scored when a server runs.',
    'The same file twice is one run.',
  ].join('\n'),
  operands: { label: '<capture>', about: 'the file that the page downloaded' },
  flags: harnessFlags,
  examples: [
    { line: 'waymark import-capture capture.eval752.zip', does: 'into the folder .waymark/data' },
    {
      line: 'waymark import-capture capture.eval752.zip --server http://127.0.0.1:7520',
      does: 'into a server that runs',
    },
  ],
  async run(flags, terminal, operands) {
    const body = readOperand(operands, 'the capture', terminal);
    await using api = await openHarnessApi(flags, terminal);
    const type = 'application/octet-stream';
    const answer = await api.request('/browser-harness/imports', answerSchema, { method: 'POST', type, body });
    if (flags.json) {
      terminal.out(`${JSON.stringify(answer)}\n`);
      return EXIT.ok;
    }
    const { run_id, provider_name, counts, warnings, duplicate } = answer;
    terminal.out(
      `${duplicate ? 'This capture was imported before' : 'Imported'}: run ${run_id} of ${provider_name} (self-reported capture)\n` +
        `${counts.answered} of ${counts.expected} items answered, ${counts.errored} with errors, ${counts.missing} missing\n`,
    );
    for (const { message } of warnings) terminal.out(`${terminal.paint('yellow', 'warning')}: ${message}\n`);
    return EXIT.ok;
  },
});
