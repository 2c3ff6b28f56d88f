/** What lists show of an attempt: a fold of its journal. */
import type { EventOf, JournalEvent } from './events.ts';

export interface AttemptFold {
  /** The status of its `stop`; null where there is none, or where the run was stopped. */
  result: EventOf<'stop'>['status'] | null;
  answer: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  modelLabel: string | null;
  /** Milliseconds since the epoch. */
  startedAt: number | null;
  finishedAt: number | null;
  latencyMs: number | null;
  /** Sums; null where no call said what it used. */
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
}

export function attemptFold(events: Iterable<JournalEvent>): AttemptFold {
  const folding = new AttemptFolding();
  for (const event of events) folding.add(event);
  return folding.fold;
}

/** The same, event by event as they come. */
export class AttemptFolding {
  readonly fold: AttemptFold = {
    result: null,
    answer: null,
    errorCode: null,
    errorMessage: null,
    modelLabel: null,
    startedAt: null,
    finishedAt: null,
    latencyMs: null,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
  };
  #isQuestion = false;

  add(event: JournalEvent): void {
    const { fold } = this;
    switch (event.type) {
      case 'start':
        this.#isQuestion = event.kind === 'question';
        fold.startedAt = event.time;
        break;
      case 'message':
        if (this.#isQuestion && event.message.type === 'assistant') fold.answer = event.message.content;
        break;
      case 'usage':
        fold.inputTokens = sum(fold.inputTokens, event.inputTokens);
        fold.outputTokens = sum(fold.outputTokens, event.outputTokens);
        fold.costUsd = sum(fold.costUsd, event.costUsd);
        break;
      case 'stop':
        fold.result = event.interrupted ? null : event.status;
        fold.answer = event.answer ?? fold.answer;
        fold.errorCode = event.error?.code ?? null;
        fold.errorMessage = event.error?.message ?? null;
        fold.modelLabel = event.modelLabel ?? null;
        fold.latencyMs = event.latencyMs === undefined ? null : Math.round(event.latencyMs);
        fold.finishedAt = event.time;
        break;
    }
  }
}

function sum(known: number | null, more: number | undefined): number | null {
  return more === undefined ? known : (known ?? 0) + more;
}
