/** What a test can ask about the requests that a test model was sent. */
import type { Conversation, ModelReply } from './conversation.ts';
import type { FaultName } from './faults.ts';
import type { PolicyName } from './policies/index.ts';

export interface RecordedRequest {
  readonly protocol: string;
  readonly path: string;
  /** Absent when the request was refused before it was understood. */
  readonly conversation?: Conversation;
  readonly isStreamed?: boolean;
  readonly policy?: PolicyName;
  /** The fault that it met. */
  readonly fault?: FaultName;
  /** Why it was refused. */
  readonly refusal?: string;
  readonly reply?: ModelReply;
}

/** The newest requests, oldest first. */
export class RequestRecord {
  readonly #kept: RecordedRequest[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get all(): readonly RecordedRequest[] {
    return this.#kept;
  }

  /** @returns adds what becomes known of the request later. */
  add(request: RecordedRequest): (more: Partial<RecordedRequest>) => void {
    this.#kept.push(request);
    if (this.#kept.length > this.#limit) this.#kept.shift();
    return (more) => Object.assign(request, more);
  }
}
