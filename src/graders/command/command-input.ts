/** What a grading program reads from stdin: one JSON object. Fields may be added; a change of one that is there raises the version. */
import type { EventOf } from '../../events/index.ts';
import type { AttemptReader } from '../grader.ts';

export const COMMAND_INPUT_VERSION = 1;

export interface CommandInput {
  version: typeof COMMAND_INPUT_VERSION;
  /** The name that the grade is kept under. */
  grader: string;
  attempt: AttemptReader['ref'];
  /** `{ kind: "task", task }` or `{ kind: "question", item }`. */
  case: AttemptReader['subject'];
  answer: string | null;
  /** How the attempt ended by itself, before any grade; null where the journal was cut off. */
  outcome: Pick<EventOf<'stop'>, 'status' | 'reason' | 'cause' | 'claimed'> | null;
  /** Steps of a known solution. */
  oracleSteps: number | null;
  /** Absolute; it goes away with the program. */
  folder: string;
  /** Files in it: `events.jsonl`, `messages.jsonl`, and the screenshots. */
  artifacts: string[];
}

export function commandInput(
  attempt: AttemptReader,
  about: Pick<CommandInput, 'grader' | 'folder' | 'artifacts'>,
): CommandInput {
  const stop = attempt.events.findLast((event) => event.type === 'stop');
  return {
    version: COMMAND_INPUT_VERSION,
    grader: about.grader,
    attempt: attempt.ref,
    case: attempt.subject,
    answer: attempt.answer,
    outcome: stop ? outcomeOf(stop) : null,
    oracleSteps: attempt.oracleSteps ?? null,
    folder: about.folder,
    artifacts: about.artifacts,
  };
}

function outcomeOf({ status, reason, cause, claimed }: EventOf<'stop'>): NonNullable<CommandInput['outcome']> {
  return { status, reason, ...(cause === undefined ? {} : { cause }), ...(claimed === undefined ? {} : { claimed }) };
}
