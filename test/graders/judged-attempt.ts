/** Attempts made by hand for judges: a task in a browser with steps and screenshots, or a question. */
import { itemSchema, parseTask } from '../../src/cases/index.ts';
import { type JournalEvent, questionJournal } from '../../src/events/index.ts';
import type { AttemptReader } from '../../src/graders/index.ts';
import { answered, called, madeJournal, pictured, seen, stopped } from '../support/made-journal.ts';

const REF = { runId: 'r', caseId: 'greet', trial: 1, attempt: 1 };

/** The header of a JPEG of 1280 × 720: enough where no pixel is read. */
export const JPEG = Uint8Array.from([255, 216, 255, 192, 0, 11, 8, 2, 208, 5, 0, 1, 1, 17, 0]);

const parsed = parseTask({
  id: 'greet',
  title: 'Greet',
  startUrl: 'http://shop.test/',
  goal: 'Write "hello" into the field and send it.',
  success: { kind: 'no_dialog' },
});
if (!parsed.ok) throw new Error('the task is wrong');
const { task } = parsed;

export interface AttemptChange {
  readonly answer?: string | null;
  /** What was typed; nothing: the agent only looked. */
  readonly typed?: string;
  readonly pictures?: number;
  readonly stop?: Parameters<typeof stopped>[0];
  readonly artifact?: AttemptReader['artifact'];
  readonly verdict?: 'pass' | 'fail' | 'inconclusive';
}

export function taskAttempt(change: AttemptChange = {}): AttemptReader {
  const { answer = 'I wrote "hello" and sent it.', typed = 'hello', pictures = 3, verdict = 'pass' } = change;
  const events: JournalEvent[] = madeJournal([
    called('c1', 1, undefined, { tool: 'type', arguments: { selector: '#word', text: typed } }),
    answered('c1'),
    seen('http://shop.test/#sent', undefined, 'c1'),
    ...Array.from({ length: pictures }, (_, index) => pictured('c1', index + 1)),
    { type: 'contract_eval', phase: 'final', verdict },
    stopped({ status: 'failed', claimed: 'done', ...(answer === null ? {} : { answer }), ...change.stop }),
  ]);
  return {
    ref: REF,
    subject: { kind: 'task', task },
    answer,
    events,
    oracleSteps: 1,
    artifact: change.artifact ?? (async () => JPEG),
  };
}

export function questionAttempt(answer: string | null): AttemptReader {
  const item = itemSchema.parse({
    id: 'sky',
    type: 'judge',
    prompt_text: 'Why is the sky blue?',
    criteria: 'Names the scattering of light.',
  });
  const ref = { ...REF, caseId: item.id };
  const error = answer === null ? { code: 'network', message: 'The connection was lost.' } : null;
  return {
    ref,
    subject: { kind: 'question', item },
    answer,
    events: questionJournal(
      { attempt: ref, agent: { kind: 'model' }, prompt: item.prompt_text },
      { answer, error },
      { startedAt: 0, finishedAt: 1 },
    ),
    artifact: async () => undefined,
  };
}
