/** `waymark rescore`: scores a finished run with the current rules. */
import { readFileSync } from 'node:fs';
import {
  isQuestionRun,
  type RegradedQuestions,
  rescoreQuestions,
  rescoreRun,
  unfinishedText,
  writeQuestionReports,
} from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { runFolder, runOperand } from './run-operand.ts';

export const rescoreCommand = defineCommand({
  name: 'rescore',
  about: [
    'scores a finished run again with the rules of this version of Waymark: rewards and results.',
    'Writes rescored.json into the run’s folder, with the hashes of these rules; results of other rules are kept and get a number (rescored-2.json). Journals and reports are not changed.',
    'For questions, the checkers grade the recorded answers again: what changes is appended as the next round of grades, and the reports are written again. A judge’s verdicts stay.',
    'Exit code: 0 written (whether results changed or not), 2 no run, 3 a journal is damaged or the folder can’t be written.',
  ].join('\n'),
  operands: runOperand,
  flags: { json: { type: 'boolean', about: 'print the file and nothing else' } },
  examples: [
    { line: 'waymark rescore .waymark/runs/<run-id>', does: 'score this run with the current rules' },
    { line: 'waymark rescore .waymark/runs/<run-id> --json', does: 'the same as JSON, for a script' },
  ],
  async run(flags, terminal, operands) {
    const root = runFolder('rescore', operands, terminal);
    if (isQuestionRun(root)) {
      const regraded = await rescoreQuestions(root);
      await writeQuestionReports(root);
      terminal.out(flags.json ? `${JSON.stringify(regraded, null, 2)}\n` : regradedText(regraded));
      return EXIT.ok;
    }
    const { file, rescored } = await rescoreRun(root);
    if (flags.json) {
      terminal.out(readFileSync(file, 'utf8'));
      return EXIT.ok;
    }
    const { rules, recordedRules, changed, summary } = rescored;
    terminal.out(`rules:    ${rules.scorer}, ${rules.constants}\n`);
    for (const { scorer, constants } of recordedRules) terminal.out(`recorded: ${scorer}, ${constants}\n`);
    for (const { taskId, trial, fields } of changed) {
      terminal.out(`changed:  ${taskId}${trial > 1 ? ` (trial ${trial})` : ''}: ${fields.join(', ')}\n`);
    }
    const what = changed.length === 0 ? 'nothing changed' : `${changed.length} changed`;
    const left = unfinishedText(summary);
    const { finished, planned } = summary;
    terminal.out(`${finished} of ${planned} ${planned === 1 ? 'episode' : 'episodes'} scored again, ${what}\n`);
    if (left !== undefined) terminal.out(`${left}\n`);
    terminal.out(`${file}\n`);
    return EXIT.ok;
  },
});

function regradedText({ planned, checked, judged, changed }: RegradedQuestions): string {
  const lines = changed.map(
    ({ id, recorded, again }) =>
      `changed:  ${id}: ${recorded.verdict} (${recorded.grader}) is ${again.verdict} (${again.grader}) now`,
  );
  const what = changed.length === 0 ? 'nothing changed' : `${changed.length} changed`;
  const stay =
    judged === 0 ? '' : `; ${judged} ${judged === 1 ? 'verdict of a judge stays' : 'verdicts of a judge stay'}`;
  return `${[...lines, `${checked} of ${planned} answers graded again, ${what}${stay}`].join('\n')}\n`;
}
