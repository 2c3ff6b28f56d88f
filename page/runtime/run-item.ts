/** One item: new chat → fill → send → settle → read. Always ends in a result. */
import type { Flag, ItemResult, PackItem } from '../../src/capture/formats.ts';
import { ItemError } from './item-error.ts';
import { newChat } from './new-chat.ts';
import type { PageContext } from './page-context.ts';
import { fill, send } from './send.ts';
import { type Answer, settle } from './settle.ts';
import { watchForTurn } from './turn-watch.ts';

export type Stage = 'opening a new chat' | 'writing the prompt' | 'sending' | 'waiting for the answer';

export interface ItemOutcome {
  readonly result: ItemResult;
  readonly flag: Flag | undefined;
  readonly endsRun: boolean;
}

export async function runItem(
  page: PageContext,
  item: PackItem,
  onStage: (stage: Stage) => void,
): Promise<ItemOutcome> {
  const { clock, finder, waiter } = page;
  const answer: Answer = { text: '', changedAt: clock.ms };
  let startedAt = new Date();
  let startedMs = clock.ms;
  let failure: ItemError | undefined;
  try {
    waiter.signal.throwIfAborted();
    page.notices.check();
    onStage('opening a new chat');
    await newChat(page);
    onStage('writing the prompt');
    await fill(page, item.prompt_text);
    onStage('sending');
    const newTurn = watchForTurn(page);
    startedAt = new Date();
    startedMs = clock.ms;
    answer.changedAt = startedMs;
    await send(page, item.prompt_text);
    onStage('waiting for the answer');
    await settle(page, answer, newTurn);
  } catch (thrown) {
    failure = explain(page, thrown);
    answer.changedAt = clock.ms;
  }
  const latency = Math.max(0, Math.round(answer.changedAt - startedMs));
  return {
    result: {
      dataset_item_id: item.id,
      prompt_text: item.prompt_text,
      response: answer.text,
      error: failure ? { code: failure.code, message: failure.message } : null,
      timing: {
        started_at: startedAt.toISOString(),
        // The answer ended when its text changed last; the quiet time after it is ours. A pause in between belongs to neither.
        finished_at: new Date(failure ? Date.now() : startedAt.getTime() + latency).toISOString(),
        latency_ms: latency,
      },
      model_label: modelLabel(finder.first('model_label')),
    },
    flag: failure ? undefined : answer.flag,
    endsRun: failure?.endsRun ?? false,
  };
}

/** A notice of the site explains better than what it made impossible. */
function explain(page: PageContext, thrown: unknown): ItemError {
  const { signal } = page.waiter;
  if (signal.aborted && signal.reason instanceof ItemError) return signal.reason;
  if (thrown instanceof ItemError && thrown.endsRun) return thrown;
  try {
    page.notices.check();
  } catch (notice) {
    if (notice instanceof ItemError) return notice;
  }
  if (thrown instanceof ItemError) return thrown;
  // Nothing of ours throws anything else; what a page's own handlers throw must not end the run without an export.
  return new ItemError('aborted', `The page stopped this item: ${String(thrown)}`);
}

function modelLabel(element: HTMLElement | undefined): string | null {
  const text = element?.textContent || element?.getAttribute('aria-label') || '';
  return text.replace(/\s+/g, ' ').trim().slice(0, 200) || null;
}
