/** How an attempt ended, and the status and the sentence that its last look makes of it. */
import type { Verdict } from '../contracts/index.ts';
import { errorFault, messageOf, WaymarkError } from '../errors/index.ts';
import type { NewEvent } from '../events/index.ts';
import { isWriteFailure } from '../journal/index.ts';
import { isDocumentAwaited } from './main-documents.ts';
import type { ServerUnderTest } from './under-test.ts';

export type Stop = Omit<NewEvent<'stop'>, 'type'>;

/** The verdict is still to come. */
export type Ending =
  /** The agent returned. */
  | { by: 'done'; answer?: string | undefined; note?: string | undefined }
  | { by: 'pass' }
  /** Steps, tokens or cost; the sentence says which, without its full stop. */
  | { by: 'cap'; sentence: string; answer?: string | undefined }
  /** The guarded action that was asked for. */
  | { by: 'guard'; guard: string }
  /** Something was lost, or the agent's code failed. `isUnanswered`: a call got no answer; whose fault that is, the last look tells. */
  | { by: 'fault'; stop: Stop; isUnanswered?: boolean }
  /** Not for an attempt to swallow: a journal that can't be written, a bug of ours. */
  | { by: 'crash'; error: unknown };

/** The deadline's own mark: whatever rejects because of it is a timeout and not a fault. */
export const TIME_IS_UP = new WaymarkError({ code: 'episode_timeout', message: 'The episode ran out of time.' });

/** What the last look found. */
export interface FinalVerdict {
  verdict: Verdict;
  /** The lane on whose page the contract held. */
  executorId?: string;
  /** Why a model did not answer what the contract asks of it. */
  unanswered?: string | undefined;
  /** Why a page that the contract reads at the end could not be opened. */
  unopened?: string | undefined;
  /** What keeps the agent out of the site. */
  wall?: string | undefined;
  /** Why the last look saw nothing of a page. */
  unseen?: string | undefined;
  /** The browser ended before the last look did. */
  isBrowserLost?: boolean | undefined;
}

/** The run was stopped from outside (Ctrl-C), or this attempt was stopped by a user: that is not a failure. `why` is the signal's reason. */
export function interruptedBy(why: unknown): Ending {
  const isAlone = why instanceof WaymarkError && why.code === 'attempt_stopped';
  const reason = isAlone ? why.message : 'The run was stopped from outside.';
  return { by: 'fault', stop: { status: 'tool_error', reason, cause: 'transport', interrupted: true } };
}

/** How an attempt ends by what was thrown. */
export function endingOf(error: unknown, server: Pick<ServerUnderTest, 'isBrowserAlive' | 'witness'>): Ending {
  const isUnanswered = error instanceof WaymarkError && error.code === 'tool_timeout';
  const because = (status: Stop['status'], reason: string, cause?: Stop['cause']): Ending => ({
    by: 'fault',
    stop: { status, reason, ...(cause === undefined ? {} : { cause }) },
    ...(isUnanswered ? { isUnanswered } : {}),
  });
  if (error === TIME_IS_UP) return because('timeout', 'The time of the task was used up.');
  if (!server.isBrowserAlive()) return because('tool_error', messageOf(error), 'browser');
  // The server could not answer: the site does not send the page that it waits for.
  if (isUnanswered && isDocumentAwaited(server.witness))
    return because('tool_error', `${messageOf(error)} The page was waiting for its document.`, 'browser');
  const fault = errorFault(error);
  if (fault === 'agent') return because('adapter_error', messageOf(error), 'adapter');
  if (fault === 'server') return because('tool_error', messageOf(error), 'server');
  if (error instanceof WaymarkError && error.code === 'site_blocked')
    return because('tool_error', messageOf(error), 'site');
  if (error instanceof WaymarkError && error.code === 'start_page_failed')
    return because('tool_error', messageOf(error), 'fixture');
  if (fault === 'environment' && !isWriteFailure(error)) return because('tool_error', messageOf(error), 'browser');
  return { by: 'crash', error };
}

/** The status that the final verdict makes of an ending. `steps`: those that were taken. */
export function stopOf(
  ending: Exclude<Ending, { by: 'crash' }>,
  { verdict, executorId, unanswered, unopened, wall, unseen, isBrowserLost = false }: FinalVerdict,
  about: { steps: number; untilDone: boolean },
): Stop {
  const stop = statusOf(ending, verdict, about);
  // The server waited for a page that does not answer.
  if (ending.by === 'fault' && ending.isUnanswered && unseen !== undefined)
    return { ...stop, cause: 'browser', reason: `${stop.reason} ${unseen}` };
  // An agent that went on without a browser, until it was done or a cap came, has not failed.
  if (isBrowserLost && stop.status !== 'passed' && stop.cause === undefined)
    return { status: 'tool_error', cause: 'browser', reason: `The browser was lost. ${stop.reason}` };
  // An agent that ends in front of a wall has not failed, whatever it did there until then.
  if (wall !== undefined && stop.status !== 'passed' && stop.cause === undefined)
    return { ...stop, cause: 'site', reason: `${stop.reason} ${wall}` };
  // Without the answer it is not known whether the agent succeeded: that is the grader's failure, not the agent's.
  if (verdict === 'inconclusive' && unanswered !== undefined && (ending.by === 'done' || ending.by === 'cap'))
    return { ...stop, cause: 'grader', reason: `${stop.reason} ${unanswered}` };
  if (verdict === 'inconclusive' && unopened !== undefined && (ending.by === 'done' || ending.by === 'cap'))
    return { ...stop, cause: 'browser', reason: `${stop.reason} ${unopened}` };
  // The agent says that it is done, and the page can't be looked at: that it has failed is not known either.
  if (verdict === 'inconclusive' && unseen !== undefined && ending.by === 'done')
    return { ...stop, cause: 'browser', reason: `${stop.reason} ${unseen}` };
  return stop.status === 'passed' && executorId !== undefined ? { ...stop, executorId } : stop;
}

function statusOf(
  ending: Exclude<Ending, { by: 'crash' }>,
  verdict: Verdict,
  { steps, untilDone }: { steps: number; untilDone: boolean },
): Stop {
  const fails = `the contract ${verdict === 'inconclusive' ? 'is inconclusive' : 'does not pass'}`;
  switch (ending.by) {
    case 'fault':
      return ending.stop;
    case 'guard':
      return {
        status: 'failed',
        cause: 'guard',
        reason: `The agent tried a guarded action, which was not allowed: ${ending.guard}.`,
      };
    case 'pass':
      // A pass that lasts no longer than a moment is not a pass. A page that can't be read at the end takes nothing back.
      if (verdict === 'fail')
        return {
          status: 'failed',
          reason: `The contract passed after step ${steps}, and no longer at the final look.`,
        };
      return { status: 'passed', reason: passedAfter(steps) };
    case 'cap': {
      const answer = answerOf(ending);
      if (verdict === 'pass')
        return { status: 'passed', reason: `The contract passed at the last allowed step, ${steps}.`, ...answer };
      return { status: 'max_steps', reason: `${ending.sentence}, and ${fails}.`, ...answer };
    }
    case 'done': {
      const answer = answerOf(ending);
      const claimed = ending.note === undefined ? 'done' : 'gave_up';
      if (verdict === 'pass') {
        // What the last step has set off may come a moment after the look at it. That must not make two reports of the same run.
        const asStep = !untilDone && steps > 0;
        if (asStep) return { status: 'passed', reason: passedAfter(steps), ...answer };
        return { status: 'passed', claimed, reason: 'The agent is done, and the contract passes.', ...answer };
      }
      const note = ending.note === undefined ? '' : ` ${ending.note}`;
      return { status: 'failed', claimed, reason: `The agent is done, and ${fails}.${note}`, ...answer };
    }
  }
}

function answerOf({ answer }: { answer?: string | undefined }): { answer?: string } {
  return answer === undefined ? {} : { answer };
}

function passedAfter(steps: number): string {
  return `The contract passed after step ${steps}.`;
}
