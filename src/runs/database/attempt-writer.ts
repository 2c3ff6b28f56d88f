/**
 * The journal of an attempt that is under way. Events wait here until `flush` makes them rows; `finish` makes them the journal of the
 * attempt's row and removes those rows. A question never flushes: until it is answered there is nothing to lose. An attempt that has files
 * flushes by itself, some events at a time, so that it can be watched; its row comes with the first of them, in the same statement. No file
 * is kept before that: until then, another worker may begin an attempt of the same number.
 */
import { sql } from 'drizzle-orm';
import { sentenceOf, WaymarkError } from '../../errors/index.ts';
import {
  AttemptFolding,
  boundEvent,
  type EventOf,
  type EventType,
  eventSchemas,
  JOURNAL_VERSION,
  type JournalEvent,
  type NewEvent,
} from '../../events/index.ts';
import { HashChain } from '../../journal/index.ts';
import { type Artifacts, type Queryable, schema } from '../../store/index.ts';
import type { AttemptWriter, Claim, RetryInStore } from '../run-store.ts';
import { attemptColumns } from './attempt-columns.ts';
import type { AttemptFiles } from './attempt-files.ts';
import { attemptKey, beginAttempt, heldCell, leaseLost, stateAfter, until } from './claims.ts';
import type { HeldClaims } from './held-claims.ts';
import { JournalText } from './journal-text.ts';
import { isOutage, type Steadily } from './through-outages.ts';

export interface WriterContext {
  readonly db: Queryable;
  readonly artifacts: Artifacts;
  readonly leaseMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly held: HeldClaims;
  /** How long a database or an object store that is away is waited for. */
  readonly steadily: Steadily;
  /** Where the attempt has files. */
  readonly files?: AttemptFiles | undefined;
  /** The attempt has its row. */
  readonly isBegun: boolean;
}

/** An event waits so long for its picture to be kept. */
const PICTURE_MS = 2_000;
/** Events that come within so long go to the database together. */
const BATCH_MS = 300;

export class DatabaseAttemptWriter implements AttemptWriter {
  readonly folder?: string;
  readonly signal: AbortSignal;
  readonly #context: WriterContext;
  readonly #claim: Claim;
  readonly #folding = new AttemptFolding();
  readonly #text = new JournalText();
  readonly #chain = new HashChain();
  #count = 0;
  #last: { type: EventType; time: number } | undefined;
  /** Events that are rows, and the bytes of their lines. */
  #flushed = { count: 0, bytes: 0 };
  #isBegun: boolean;
  /** Events whose files wait until the attempt has begun. */
  #held: JournalEvent[] = [];
  #isOver = false;
  #batch: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(context: WriterContext, claim: Claim) {
    this.#context = context;
    this.#claim = claim;
    this.#isBegun = context.isBegun;
    this.signal = context.held.signalOf(claim);
    if (context.files) this.folder = context.files.folder;
  }

  append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T> {
    const last = this.#last;
    if (last?.type === 'stop') throw invalid('journal_ended', `The journal has its stop; ${event.type} came after it.`);
    if ((event.type === 'start') !== (last === undefined)) {
      throw invalid('journal_event_invalid', `A journal begins with its start, and has one: ${event.type} is refused.`);
    }
    const stamped = {
      seq: this.#count,
      // A clock that is set back must not make durations negative.
      time: Math.max(last?.time ?? Number.NEGATIVE_INFINITY, this.#context.now()),
      ...(event.type === 'start' ? { v: JOURNAL_VERSION } : {}),
      ...event,
    } as unknown as JournalEvent;
    const { error } = eventSchemas[stamped.type].safeParse(stamped);
    if (error) throw invalid('journal_event_invalid', `${event.type} is not an event: ${sentenceOf(error)}`);
    const bound = boundEvent(stamped);
    this.#text.add(this.#chain.add(bound.line));
    this.#folding.add(bound.event);
    this.#count += 1;
    this.#last = { type: stamped.type, time: stamped.time };
    const { files } = this.#context;
    if (files) {
      if (this.#isBegun) files.onEvent(bound.event);
      else this.#held.push(bound.event);
      this.#batch ??= setTimeout(() => void this.#flushBatch(), BATCH_MS);
    }
    return bound.event as EventOf<T>;
  }

  /** One at a time: each goes on where the last one ended. */
  flush(): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush());
    this.#flushing = flushed.catch(() => undefined);
    return flushed;
  }

  /** What could not be written goes with the next batch, or with the whole journal at the end. */
  async #flushBatch(): Promise<void> {
    this.#batch = undefined;
    try {
      if (!this.#isOver && !this.signal.aborted) await this.flush();
    } catch (error) {
      if (error instanceof WaymarkError && error.code === 'lease_lost') this.#context.held.lose(this.#claim, error);
    }
  }

  async #flush(): Promise<void> {
    for (const { lines, next } of this.#text.linesFrom(this.#flushed.bytes)) {
      const { count } = this.#flushed;
      await this.#insertWithPictures(lines.map((line, index) => ({ seq: count + index, line })));
      this.#flushed = { count: count + lines.length, bytes: next };
    }
  }

  /**
   * A picture is kept before its event can be read, so that a kill leaves no event without its picture. Where the artifacts do not answer, the
   * event does not wait for long: it is tried again at the end.
   */
  async #insertWithPictures(rows: readonly { seq: number; line: string }[]): Promise<void> {
    const first = this.#held.find((event) => event.type === 'screenshot' && event.file !== undefined)?.seq;
    const begin = first === undefined ? [] : rows.filter(({ seq }) => seq < first);
    if (begin.length > 0) await this.#insert(begin);
    await this.#context.files?.picturesKept(PICTURE_MS);
    if (begin.length < rows.length) await this.#insert(rows.slice(begin.length));
  }

  async #insert(rows: readonly { seq: number; line: string }[]): Promise<void> {
    const { db, leaseMs } = this.#context;
    const { attempt } = this.#claim;
    const begun = sql`begun as (
        insert into attempt (run_id, case_id, trial, attempt, started_at)
        select ${attempt.runId}::uuid, ${attempt.caseId}, ${attempt.trial}::int, ${attempt.attempt}::int, now() from held
        on conflict do nothing
      ),`;
    const written = await db.execute<{ n: number }>(sql`
      with held as (
        update cell set attempts = ${attempt.attempt}, lease_until = ${until(leaseMs)} where ${heldCell(this.#claim)} returning 1
      ), ${this.#isBegun ? sql`` : begun} added as (
        insert into attempt_event (run_id, case_id, trial, attempt, seq, line)
        select ${attempt.runId}::uuid, ${attempt.caseId}, ${attempt.trial}::int, ${attempt.attempt}::int, given.seq, given.line
        from json_to_recordset(${JSON.stringify(rows)}::json) as given(seq int, line text), held
        -- Written before: the answer to that try was lost.
        on conflict do nothing
      ) select count(*)::int as n from held`);
    if (written.rows[0]?.n !== 1) throw leaseLost(this.#claim);
    this.#hasBegun();
  }

  #hasBegun(): void {
    this.#isBegun = true;
    for (const event of this.#held) this.#context.files?.onEvent(event);
    this.#held = [];
  }

  async finish({ retries = 0 }: RetryInStore = {}): Promise<void> {
    const { attempt } = this.#claim;
    if (this.#last?.type !== 'stop') {
      throw invalid(
        'attempt_not_ended',
        `Attempt ${attempt.attempt} at ${attempt.caseId} has no stop event: it can't be finished.`,
      );
    }
    clearTimeout(this.#batch);
    if (this.signal.aborted) throw leaseLost(this.#claim);
    await this.#flushing;
    await this.#context.steadily(() => this.#finish(retries), this.signal);
    this.#isOver = true;
    this.#context.held.release(this.#claim);
  }

  async #finish(retries: number): Promise<void> {
    const { db, artifacts, files, leaseMs } = this.#context;
    const { attempt } = this.#claim;
    if (files && !this.#isBegun) {
      if (!(await beginAttempt(db, this.#claim, leaseMs))) throw leaseLost(this.#claim);
      this.#hasBegun();
    }
    await files?.keepAll();
    const row = await attemptColumns(artifacts, attempt, this.#folding.fold, this.#text.content);
    const stored = (name: 'answer' | 'errorCode' | 'errorMessage' | 'modelLabel') =>
      sql.param(row[name], schema.attempt[name]);
    // An attempt that was stopped with the run does not count: its cell waits for another one.
    const counts = row.result !== null;
    const { rows } = await db.execute<{ n: number }>(sql`
      with held as (
        update cell set state = ${counts ? stateAfter(attempt, 'finished', retries) : 'pending'}, worker = null, lease_until = null, lease = lease + 1,
          attempts = ${attempt.attempt}::int, counted = case when ${counts} then ${attempt.attempt}::int else counted end,
          result = case when ${counts} then ${row.result}::text else result end
        where ${heldCell(this.#claim)} returning 1
      ), ended as (
        insert into attempt (run_id, case_id, trial, attempt, result, answer, error_code, error_message, model_label, started_at,
          finished_at, latency_ms, input_tokens, output_tokens, cost_usd, journal, journal_key)
        select ${attempt.runId}::uuid, ${attempt.caseId}, ${attempt.trial}::int, ${attempt.attempt}::int, ${row.result}::text,
          ${stored('answer')}::text, ${stored('errorCode')}::text, ${stored('errorMessage')}::text, ${stored('modelLabel')}::text,
          ${iso(row.startedAt)}::timestamptz, ${iso(row.finishedAt)}::timestamptz, ${row.latencyMs}::int, ${row.inputTokens}::int,
          ${row.outputTokens}::int, ${row.costUsd}::float8, ${row.journal}::text, ${row.journalKey}::text
        from held
        on conflict (run_id, case_id, trial, attempt) do update set result = excluded.result, answer = excluded.answer,
          error_code = excluded.error_code, error_message = excluded.error_message, model_label = excluded.model_label,
          started_at = excluded.started_at, finished_at = excluded.finished_at, latency_ms = excluded.latency_ms,
          input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd,
          journal = excluded.journal, journal_key = excluded.journal_key
      ), pruned as (
        delete from attempt_event where ${attemptKey(attempt)} and exists (select 1 from held)
      ) select count(*)::int as n from held`);
    if (rows[0]?.n !== 1 && !(await this.#isFinished())) throw leaseLost(this.#claim);
  }

  /** The answer to an earlier try was lost on the way: no other claim has this number of an attempt. */
  async #isFinished(): Promise<boolean> {
    const { rows } = await this.#context.db.execute(sql`
      select 1 from attempt where ${attemptKey(this.#claim.attempt)} and result is not null and finished_at = ${iso(
        new Date(this.#folding.fold.finishedAt ?? 0),
      )}::timestamptz`);
    return rows.length === 1;
  }

  /** Cut off: what was flushed stays readable, and the cell can be claimed again. An attempt that flushes by itself leaves all that it has. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#batch);
    if (!this.#isOver && this.#context.files && !this.signal.aborted) await this.flush().catch(() => undefined);
    this.#text[Symbol.dispose]();
    this.#context.files?.[Symbol.dispose]();
    this.#context.held.release(this.#claim);
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      await this.#context.db.execute(sql`
        update cell set state = 'pending', lease = lease + 1, worker = null, lease_until = null
        where ${heldCell(this.#claim)}`);
    } catch (error) {
      // A database that is away is told by whatever comes next; the claim ends by itself.
      if (!isOutage(error)) throw error;
    }
  }
}

const iso = (time: Date | null) => time?.toISOString() ?? null;

function invalid(code: 'journal_ended' | 'journal_event_invalid' | 'attempt_not_ended', message: string): WaymarkError {
  return new WaymarkError({ code, message });
}
