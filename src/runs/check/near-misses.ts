/** Transcripts that are almost the oracle, and must not pass: one step less, one wrong value, one thing done twice. */
import type { Move, Transcript } from '../../agents/transcript.ts';
import { wrongValue } from './wrong-value.ts';

export interface NearMiss {
  kind: 'dropped_step' | 'wrong_value' | 'repeated_step' | 'wrong_answer' | 'no_answer';
  /** The number of the oracle's step, from 1; absent where it is about the answer. */
  step?: number;
  /** Says what is done: `without step 3 (click #gift)`. */
  about: string;
  /** The oracle says that the task can be done without the step. */
  optional?: true;
  transcript: Transcript;
}

export interface OracleRun {
  /** Steps that were made before the contract held: those after them were never tried. */
  steps: number;
  /** Numbers of the steps after which the server had taken a write (a request other than GET). */
  writes: ReadonlySet<number>;
  /** The contract, or the grader that decides, looks at the answer. */
  asksForAnswer: boolean;
}

/** They look, or wait until the page is ready: leaving one out leaves nothing undone. */
const LOOKS = new Set(['read', 'screenshot', 'wait']);

export function nearMisses(oracle: Transcript, { steps, writes, asksForAnswer }: OracleRun): NearMiss[] {
  // An agent that makes a mistake goes on: what the oracle expects of its page is left out.
  const moves = oracle.moves.map(({ expect: _expect, optional: _optional, ...move }) => move as Move);
  const changed = (about: Omit<NearMiss, 'transcript'>, made: Move[], answer = oracle.answer): NearMiss => {
    const { answer: _answer, ...rest } = oracle;
    return { ...about, transcript: { ...rest, moves: made, ...(answer === undefined ? {} : { answer }) } };
  };
  const misses = moves.slice(0, steps).flatMap((move, index): NearMiss[] => {
    const step = index + 1;
    const name = `step ${step} (${moveText(move)})`;
    const about = { step, ...(oracle.moves[index]?.optional ? { optional: true as const } : {}) };
    const wrong = withWrongValue(move);
    return [
      ...(isLook(move)
        ? []
        : [changed({ kind: 'dropped_step', ...about, about: `without ${name}` }, moves.toSpliced(index, 1))]),
      ...(wrong
        ? [
            changed(
              { kind: 'wrong_value', ...about, about: `with “${wrong.value}” in ${name}` },
              moves.with(index, wrong.move),
            ),
          ]
        : []),
      ...(writes.has(step)
        ? [changed({ kind: 'repeated_step', ...about, about: `with ${name} twice` }, moves.toSpliced(index, 0, move))]
        : []),
    ];
  });
  if (oracle.answer === undefined || !asksForAnswer) return misses;
  const wrong = wrongValue(oracle.answer);
  const { answer: _answer, ...silent } = oracle;
  return [
    ...misses,
    changed({ kind: 'wrong_answer', about: `with the answer “${wrong}”` }, moves, wrong),
    { kind: 'no_answer', about: 'without an answer', transcript: { ...silent, moves } },
  ];
}

function isLook(move: Move): boolean {
  return 'action' in move && LOOKS.has(move.action.action);
}

function withWrongValue(move: Move): { move: Move; value: string } | undefined {
  if (!('action' in move) || move.action.action !== 'type') return undefined;
  const value = wrongValue(move.action.text);
  return { value, move: { ...move, action: { ...move.action, text: value } } };
}

/** `click #gift`, `type “Kai 7”`, `browser_click`. */
function moveText(move: Move): string {
  if ('call' in move) return move.call.tool;
  const { action } = move;
  const target = 'target' in action && action.target ? action.target : undefined;
  const place = target?.selector ?? target?.name ?? target?.text ?? target?.role ?? target?.at?.join(', ');
  const value =
    ('text' in action && action.text) ||
    ('key' in action && action.key) ||
    ('url' in action && action.url) ||
    ('options' in action && action.options.join(', '));
  return [action.action, ...(place === undefined ? [] : [place]), ...(value ? [`“${value}”`] : [])].join(' ');
}
