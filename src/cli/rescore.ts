/** `waymark rescore`: scores a finished run with the current rules. */
import { rescoreRun } from '../runs/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { runFolder, runOperand } from './run-operand.ts';

export const rescoreCommand = defineCommand({
  name: 'rescore',
  about: [
    'scores a finished run again with the rules of this version of Waymark: rewards and results.',
    'Writes rescored.json into the run’s folder, with the hashes of these rules. Journals and reports are not changed.',
    'Exit code: 0 written (whether results changed or not), 2 no run, 3 a journal is damaged or the folder can’t be written.',
  ].join('\n'),
  operands: runOperand,
  flags: { json: { type: 'boolean', about: 'print rescored.json and nothing else' } },
  examples: [
    { line: 'waymark rescore .waymark/runs/<run-id>', does: 'score this run with the current rules' },
    { line: 'waymark rescore .waymark/runs/<run-id> --json', does: 'the same as JSON, for a script' },
  ],
  async run(flags, terminal, operands) {
    const root = runFolder('rescore', operands, terminal);
    const { file, rescored } = await rescoreRun(root);
    if (flags.json) {
      terminal.out(`${JSON.stringify(rescored, null, 2)}\n`);
      return EXIT.ok;
    }
    const { rules, recordedRules, changed, summary } = rescored;
    terminal.out(`rules:    ${rules.scorer}, ${rules.constants}\n`);
    for (const { scorer, constants } of recordedRules) terminal.out(`recorded: ${scorer}, ${constants}\n`);
    for (const { taskId, trial, fields } of changed) {
      terminal.out(`changed:  ${taskId}${trial > 1 ? ` (trial ${trial})` : ''}: ${fields.join(', ')}\n`);
    }
    const what = changed.length === 0 ? 'nothing changed' : `${changed.length} changed`;
    terminal.out(
      `${summary.episodes} ${summary.episodes === 1 ? 'episode' : 'episodes'} scored again, ${what}\n${file}\n`,
    );
    return EXIT.ok;
  },
});
