/** What an attempt gives, the same for every kind of agent. */
import type { JournalEvent } from './events.ts';
import type { Grade } from './grade.ts';
import { messagesOf } from './messages.ts';
import { MetadataFold } from './metadata.ts';
import type { AttemptMetadata } from './metadata-schema.ts';
import type { TraceMessage } from './trace-message.ts';

export interface AgentResult {
  metadata: AttemptMetadata;
  messages: TraceMessage[];
  /** Null where the agent gave none. */
  finalAnswer: string | null;
}

/** Undefined where the journal has not even a start. */
export function agentResult(events: readonly JournalEvent[], grades: readonly Grade[] = []): AgentResult | undefined {
  const fold = new MetadataFold();
  for (const event of events) fold.add(event);
  const metadata = fold.metadata(grades);
  return metadata && { metadata, messages: messagesOf(events), finalAnswer: metadata.final_answer };
}
