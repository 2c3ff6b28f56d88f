/** `waymark verify`: checks a finished run against its recorded evidence. */
import path from 'node:path';
import { counted } from '../errors/index.ts';
import {
  type Discrepancy,
  type Integrity,
  isQuestionRun,
  type RegradedQuestions,
  readPublicKey,
  unfinishedText,
  type VerifiedEpisode,
  verifyQuestionRun,
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
    'Holds every file to the hash chains of journals and grades, to manifest.json and to its signature, if it has one, and says what that does not prove.',
    'Exit code: 0 everything is as recorded, 1 something differs, 2 no run, 3 the folder can’t be read.',
  ].join('\n'),
  operands: runOperand,
  flags: {
    'public-key': { type: 'string', value: '<file>', about: 'the run must be signed by this key (Ed25519, PEM)' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    {
      line: 'waymark verify .waymark/runs/<run-id>',
      does: 'check that the results of this run follow from its journals',
    },
    {
      line: 'waymark verify .waymark/runs/<run-id> --public-key waymark-key.pem.pub',
      does: 'also check who signed it',
    },
    { line: 'waymark verify .waymark/runs/<run-id> --json', does: 'the differences as JSON, for a script' },
  ],
  async run(flags, terminal, operands) {
    const root = runFolder('verify', operands, terminal);
    const key = flags['public-key'];
    const publicKey = key === undefined ? undefined : readPublicKey(path.resolve(terminal.cwd, key));
    if (isQuestionRun(root)) {
      const verified = await verifyQuestionRun(root, { publicKey });
      if (flags.json) terminal.out(`${JSON.stringify({ ...verified, folder: root }, null, 2)}\n`);
      else
        terminal.out(`${regradedText(verified, terminal)}${integrityLines(verified.integrity)}${limitLines(verified)}`);
      return verified.ok ? EXIT.ok : EXIT.checkFailed;
    }
    const verified = await verifyRun(root, { version: version(), publicKey });
    if (flags.json) terminal.out(`${JSON.stringify({ ...verified, folder: root }, null, 2)}\n`);
    else {
      for (const episode of verified.episodes) terminal.out(episodeLines(episode, terminal));
      for (const difference of [...verified.plan, ...verified.report]) terminal.out(differenceLine(difference));
      for (const note of verified.notes) terminal.out(`${note}\n`);
      terminal.out(integrityLines(verified.integrity));
      const { ok, episodes, evaluated, planned, integrity } = verified;
      const left = unfinishedText(verified);
      const others = verified.plan.length + verified.report.length + integrity.differences.length;
      const total = episodes.reduce((sum, { differences }) => sum + differences.length, others);
      terminal.out(
        ok
          ? `${terminal.paint('green', 'Everything is as recorded')}: ${evaluated} of ${counted(planned, 'episode')}, evaluated again.\n`
          : `${terminal.paint('red', counted(total, 'difference'))} in ${root}; ${evaluated} of ${counted(planned, 'episode')} evaluated again.\n`,
      );
      if (left !== undefined) terminal.out(`${left}\n`);
      terminal.out(limitLines(verified));
    }
    return verified.ok ? EXIT.ok : EXIT.checkFailed;
  },
});

function integrityLines({ differences, journals, chained, files, signed, notes }: Integrity): string {
  const manifest = files === undefined ? 'no manifest' : `${counted(files, 'file')} in the manifest`;
  const by = signed ? `signed by the key ${signed.keyId}, ${signed.signedAt}` : 'not signed';
  return [
    ...differences.map(differenceLine),
    ...notes.map((note) => `${note}\n`),
    `hashes: ${chained} of ${counted(journals, 'journal')} chained, ${manifest}, ${by}\n`,
  ].join('');
}

function limitLines({ integrity }: { integrity: Integrity }): string {
  return `What this does not prove:\n${integrity.cannotProve.map((limit) => `- ${limit}\n`).join('')}`;
}

function regradedText(
  { planned, checked, judged, changed, integrity }: RegradedQuestions & { integrity: Integrity },
  { paint }: Terminal,
): string {
  const stay = judged === 0 ? '' : ` ${counted(judged, 'verdict')} of a judge can't be computed again.`;
  if (changed.length === 0 && integrity.differences.length > 0)
    return `${paint('red', counted(integrity.differences.length, 'difference'))}; ${checked} of ${counted(planned, 'answer')} graded again as recorded.${stay}\n`;
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
