/** What a worker is given, and how it says that trying again is of no use. */
import { storableText } from '../../cases/index.ts';
import { type ErrorCode, messageOf, WaymarkError } from '../../errors/index.ts';

export interface Job {
  id: string;
  /** As it was enqueued. From a database: narrow it by a schema. */
  data: unknown;
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when the server stops or the job is not ours any more. Throw, and it is handed to the next worker. */
  signal: AbortSignal;
}

export type JobHandler = (job: Job) => Promise<void>;

/** A job that ended for good without success. */
export interface DeadJob {
  id: string;
  data: unknown;
  reason: string;
  code: string;
  tries: number;
  at: Date;
}

/** Thrown by a handler: to the dead letters at once, without further tries. */
export class GiveUp extends WaymarkError {
  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super({ code, message, ...(cause === undefined ? {} : { cause }) });
    this.name = 'GiveUp';
  }
}

/** What is kept of a failure: enough to show, no stack. */
export function failureOf(thrown: unknown): { code: string; message: string } {
  const message = storableText(messageOf(thrown).slice(0, MAX_MESSAGE));
  return { code: thrown instanceof WaymarkError ? thrown.code : 'job_failed', message };
}

const MAX_MESSAGE = 2_000;
