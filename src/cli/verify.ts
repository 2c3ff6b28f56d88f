/** `waymark verify`: checks a finished run against its recorded evidence. */
import {
  type Discrepancy,
  isQuestionRun,
  type RegradedQuestions,
  regradeQuestions,
  unfinishedText,
  type VerifiedEpisode,
  verifyRun,
} from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { runFolder, runOperand } from './run-operand.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

const SHOWN = 160;

export const verifyCommand = defineCommand({
  name: 'verify',
  about: [
    'evaluates a finished run again from its recorded evidence alone: no browser, no agent, no network.',
    'Compares every verdict, score and state, the hashes of task and contract, the order of calls, pictures, run.json with the journals, and every file that is made from them, and says how much was evaluated. Of questions, the grades of the checkers; a judge’s verdicts are not asked for again.',
    'Exit code: 0 everything is as recorded, 1 something differs, 2 no run, 3 the folder can’t be read.',
  ].join('\n'),
  operands: runOperand,
  flags: { json: { type: 'boolean', about: 'print one JSON object and nothing else' } },
  examples: [
    {
      line: 'waymark verify .waymark/runs/<run-id>',
      does: 'check that the results of this run follow from its journals',
    },
    { line: 'waymark verify .waymark/runs/<run-id> --json', does: 'the differences as JSON, for a script' },
  ],
  async run(flags, terminal, operands) {
    const root = runFolder('verify', operands, terminal);
    if (isQuestionRun(root)) {
      const regraded = await regradeQuestions(root);
      const ok = regraded.changed.length === 0;
      if (flags.json) terminal.out(`${JSON.stringify({ ok, ...regraded, folder: root }, null, 2)}\n`);
      else terminal.out(regradedText(regraded, terminal));
      return ok ? EXIT.ok : EXIT.checkFailed;
    }
    const verified = await verifyRun(root, { version: version() });
    if (flags.json) terminal.out(`${JSON.stringify({ ...verified, folder: root }, null, 2)}\n`);
    else {
      for (const episode of verified.episodes) terminal.out(episodeLines(episode, terminal));
      for (const difference of [...verified.plan, ...verified.report]) terminal.out(differenceLine(difference));
      for (const note of verified.notes) terminal.out(`${note}\n`);
      const { ok, episodes, evaluated, planned } = verified;
      const left = unfinishedText(verified);
      const others = verified.plan.length + verified.report.length;
      const total = episodes.reduce((sum, { differences }) => sum + differences.length, others);
      terminal.out(
        ok
          ? `${terminal.paint('green', 'Everything is as recorded')}: ${evaluated} of ${counted(planned, 'episode')}, evaluated again.\n`
          : `${terminal.paint('red', counted(total, 'difference'))} in ${root}; ${evaluated} of ${counted(planned, 'episode')} evaluated again.\n`,
      );
      if (left !== undefined) terminal.out(`${left}\n`);
    }
    return verified.ok ? EXIT.ok : EXIT.checkFailed;
  },
});

function regradedText({ planned, checked, judged, changed }: RegradedQuestions, { paint }: Terminal): string {
  const stay = judged === 0 ? '' : ` ${counted(judged, 'verdict')} of a judge can't be computed again.`;
  if (changed.length === 0)
    return `${paint('green', 'Everything is as recorded')}: ${checked} of ${counted(planned, 'answer')}, graded again.${stay}\n`;
  return changed
    .map(({ id, recorded, again }) =>
      [
        `${paint('red', 'differs')}  ${id}\n`,
        `           recorded: ${recorded.verdict}, ${brief(recorded.reasoning)}\n`,
        `           again:    ${again.verdict}, ${brief(again.reasoning)}\n`,
      ].join(''),
    )
    .join('');
}

function episodeLines(
  { folder, taskId, trial, verdicts, rewards, differences, notes }: VerifiedEpisode,
  { paint }: Terminal,
): string {
  const name =
    taskId === undefined ? folder : `${taskId}${trial !== undefined && trial > 1 ? ` (trial ${trial})` : ''}`;
  const mark = differences.length === 0 ? paint('green', 'same   ') : paint('red', 'differs');
  return [
    `${mark}  ${name}  ${counted(verdicts, 'verdict')}, ${counted(rewards, 'score')}\n`,
    ...notes.map((note) => `         ${note}\n`),
    ...differences.map(differenceLine),
  ].join('');
}

function differenceLine({ seq, file, what, recorded, again }: Discrepancy): string {
  const at = [...(file === undefined ? [] : [file]), ...(seq === undefined ? [] : [`event ${seq}`])];
  return `         ${[...at, what].join(', ')}\n           recorded: ${brief(recorded)}\n           again:    ${brief(again)}\n`;
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
