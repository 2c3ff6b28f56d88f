/** Decides when an answer is complete. No page shows it reliably, so several signs are used: a new turn, no busy marker, text that has stopped changing, the done marker. */
import type { Flag } from '../../src/capture/formats.ts';
import { ItemError } from './item-error.ts';
import type { PageContext } from './page-context.ts';
import { textOf } from './text-of.ts';
import type { watchForTurn } from './turn-watch.ts';

export interface Answer {
  /** What had arrived; kept up to date, so that an answer that fails is not lost. */
  text: string;
  flag?: Flag;
  /** On the active clock: when the text changed last. */
  changedAt: number;
}

/** Fills in `answer`. Throws an ItemError when it does not become complete. */
export async function settle(
  page: PageContext,
  answer: Answer,
  newTurn: ReturnType<typeof watchForTurn>,
): Promise<void> {
  const { clock, finder, notices, settings, waiter } = page;
  const sentAt = clock.ms;
  let busyAt = sentAt;
  let isStarted = false;
  // A tab that comes back to the front first catches up: its silence while hidden proves nothing.
  const stopListening = clock.onResume(() => {
    answer.changedAt = clock.ms;
  });

  const look = (): boolean => {
    notices.check();
    const now = clock.ms;
    const isBusy = finder.first('busy') !== undefined;
    if (isBusy) busyAt = now;
    const turn = newTurn(isBusy);
    if (!turn) {
      // A page that redraws takes the turn away for a moment.
      if (isStarted) answer.changedAt = now;
      else if (!isBusy && now - sentAt >= settings.start_timeout_ms) throw noStart(page);
      return false;
    }
    const text = textOf(turn.bodies());
    if (!isStarted || text !== answer.text) {
      isStarted = true;
      answer.text = text;
      answer.changedAt = now;
    }
    const isDone = finder.isDone(turn.element);
    const isFinished = !isBusy && (isDone || !finder.has('done'));
    const isQuiet = now - Math.max(answer.changedAt, busyAt) >= settings.quiet_ms;
    const isLongQuiet = now - answer.changedAt >= settings.long_quiet_ms;
    if (text === '') {
      if ((isDone && !isBusy && isQuiet) || (isLongQuiet && !isBusy)) {
        throw new ItemError('empty_response', 'The assistant’s turn ended without text.');
      }
      return false;
    }
    if (isFinished && isQuiet) return true;
    if (isLongQuiet) answer.flag = isBusy ? 'busy_stuck' : 'done_missing';
    return isLongQuiet;
  };

  try {
    if (await waiter.until(look, settings.item_timeout_ms)) return;
  } finally {
    stopListening();
  }
  if (!isStarted) throw noStart(page);
  throw new ItemError('response_timeout', `The answer was not finished after ${settings.item_timeout_ms} ms.`);
}

function noStart(page: PageContext): ItemError {
  const news = page.notices.news();
  if (news) return new ItemError('site_notice', `No answer began, and the page says: ${news}`);
  return new ItemError('no_response_start', 'No answer began.');
}
