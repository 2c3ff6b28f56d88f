/** The looks of the harness at the page of one lane: evidence, the contract's verdict and the reward, and what is worth seeing between steps. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Observation } from '../chromium/index.ts';
import { compactFacts, evaluateFacts, type Facts, type Verdict } from '../contracts/index.ts';
import { messageOf } from '../errors/index.ts';
import type { EvidenceBody } from '../events/index.ts';
import type { LaneConnection } from '../tools/index.ts';
import { type AttemptContext, attemptEnded } from './attempt-context.ts';
import { factsFrom, regionsOf } from './look-facts.ts';

export interface LookAbout {
  callId?: string | undefined;
  phase: 'start' | 'step' | 'final';
  /** When the lane's last call was sent. */
  lastToolCall: number;
  /** The call was made to change something, and said that it did. */
  hasActed?: boolean;
  /** Read everything anew. */
  full?: boolean;
  timeoutMs?: number;
}

/** How many looks a page gets to settle. */
const MAX_SETTLING = 4;
/** No multiples of each other, so that what turns in a circle is not always seen at the same place. */
const WATCH_PAUSES_MS: readonly number[] = [50, 90, 170, 310, 570, 1_030, 1_870, 3_390];
/** How long after its pause a check has been made, on a busy machine too. */
const CHECK_MS = 100;

export class PageLooks {
  readonly #attempt: AttemptContext;
  readonly #connection: LaneConnection;
  readonly #lane: { executorId?: string };
  /** The newest evidence. */
  last: EvidenceBody | undefined;
  /** The newest look, which stands in the journal only where it shows something new. */
  #lastDom: string | undefined;
  /** Two looks have agreed since the last call. */
  #isSettled = false;
  /** Since then, the journal has an event of what is known to move by itself. */
  #hasNoise = false;
  /** When the page was looked at after the last call, or first, and how long it has been watched since. */
  #calledAt = performance.now();
  #watchedMs = 0;

  constructor(attempt: AttemptContext, connection: LaneConnection, lane: { executorId?: string }) {
    this.#attempt = attempt;
    this.#connection = connection;
    this.#lane = lane;
  }

  async judge({ callId, phase, lastToolCall, hasActed = false, ...how }: LookAbout): Promise<Verdict> {
    const { server, journal, contract, needed, scorer, secrets, contractEnter } = this.#attempt;
    const { witness } = server;
    const { pages } = this.#connection;
    const { domText, domValue, domCount, performance } = needed;
    const asked = { pages, domText, domValue, domCount, performance: performance.length > 0, ...how };
    const look = async () => {
      // At once, so that both see the page at the same moment.
      const [seen, scripts] = await Promise.all([
        witness.observe(asked),
        needed.script.length === 0 ? {} : witness.scripts(needed.script, { pages }),
      ]);
      return { seen, scripts };
    };
    const first = await look();
    const { seen, scripts } = hasActed && this.#isAsBefore(first.seen) ? await this.#settled(first, look) : first;
    const page = withFacts(factsFrom(seen, witness, needed, { contractEnter, lastToolCall }), scripts);
    const shown = needed.screenshot ? withFacts(page, await this.#pictureFacts()) : page;
    const { finalAnswer, openedPages } = this.#attempt;
    // After the last look: opening a page may change what the application shows.
    const opened = phase === 'final' && openedPages ? { ...shown, pages: await openedPages.read() } : shown;
    const whole = finalAnswer === undefined ? opened : { ...opened, answer: finalAnswer };
    // The attempt may have ended meanwhile, by another lane: what comes after its end is not scored.
    if (phase === 'step' && this.#attempt.isEnded()) throw attemptEnded();
    // From here to the end without an await, so that the three events of a look stand together in the journal.
    // The contract is evaluated on the facts as they are kept: evaluating the journal again must find the same.
    const facts = compactFacts(contract, secrets.redact(whole));
    const about = { ...(callId === undefined ? {} : { callId }), ...this.#lane };
    this.#append({ ...this.#attempt.evidence.take(seen, pages, facts), ...about });
    const evidence = evaluateFacts(contract, facts);
    const { verdict } = evidence;
    const event = journal.append({ type: 'contract_eval', ...about, phase, verdict, evidence });
    const reward = scorer.onVerdict(event);
    if (reward) journal.append({ type: 'reward', ...about, ...reward });
    return verdict;
  }

  /** The lane's first tab, before anything was done in it: what its first step is compared with. The contract is not evaluated on it. */
  async first(): Promise<void> {
    const { pages } = this.#connection;
    const seen = await this.#attempt.server.witness.observe({ pages });
    this.#append({ ...this.#attempt.evidence.take(seen, pages), ...this.#lane });
  }

  /** Further looks while the agent thinks. What changes before the page has settled is the late effect of the call; what changes after that is not. */
  async again({ afterPaint = false } = {}): Promise<void> {
    for (let looks = 0; looks < MAX_SETTLING; looks++) {
      const hadSettled = this.#isSettled;
      await this.#lookOn({ afterPaint: afterPaint || looks > 0 });
      if (hadSettled || this.#isSettled || this.#attempt.isEnded()) return;
    }
  }

  /** Looks on at growing intervals, until the agent goes on: only change that repeats shows what is noise. A page that keeps still is not asked. */
  async watch(thinking: AbortSignal): Promise<void> {
    const { witness } = this.#attempt.server;
    const { pages } = this.#connection;
    const signal = AbortSignal.any([thinking, this.#attempt.signal]);
    const [firstMs, ...further] = WATCH_PAUSES_MS;
    // Here, so that an agent that goes on at once costs the page nothing. An aborted pause ends at once.
    await delay(firstMs, undefined, { signal, ref: false }).catch(() => {});
    for (let pauses = [0, ...further]; pauses.length > 0 && !signal.aborted; ) {
      const began = performance.now();
      const hasChanged = await witness.changed(pauses, { pages, signal });
      const elapsedMs = performance.now() - began;
      if (!hasChanged) {
        // It has kept still at every check; those that were due just before the agent went on may not have been made.
        const checks = pausesOver(pauses, signal.aborted ? elapsedMs - CHECK_MS : elapsedMs).over;
        if (checks > 0) this.#watchedUntil(began + pauses.slice(0, checks).reduce((sum, pauseMs) => sum + pauseMs, 0));
        return;
      }
      if (signal.aborted) return;
      const { over, restMs } = pausesOver(pauses, elapsedMs);
      // Only a page that was replaced is known to have changed before a pause was over.
      if (restMs > 0) await delay(restMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      // The check after an earlier pause has agreed with the last look.
      if (over > 1) this.#isSettled = true;
      await this.#lookOn({});
      pauses = pauses.slice(Math.max(1, over));
    }
  }

  async #lookOn(how: { afterPaint?: boolean }): Promise<void> {
    const { pages } = this.#connection;
    const seen = await this.#attempt.server.witness.observe({ pages, ...how });
    // After the end only the final look counts.
    if (seen.state !== 'ok' || this.last?.page !== 'ok' || this.#attempt.isEnded()) return;
    this.#watchedUntil(performance.now());
    if (seen.dom === this.#lastDom) {
      this.#isSettled = true;
      return;
    }
    this.#lastDom = seen.dom;
    // Most pages keep still. What is known to move by itself is worth one event before each call.
    const isNoise = this.#isKnownNoise(seen, this.last);
    if (isNoise && this.#hasNoise) return;
    this.#hasNoise = isNoise;
    this.#append({ ...this.#attempt.evidence.take(seen, pages), ...this.#lane });
  }

  /** What moves after the event of known noise is not kept, so that nothing is known of the time after it. */
  #watchedUntil(time: number): void {
    if (!this.#hasNoise) this.#watchedMs = Math.round(time - this.#calledAt);
  }

  #isKnownNoise(seen: Observation, last: EvidenceBody): boolean {
    const { scorer } = this.#attempt;
    const now = { ...last, url: seen.url, regions: regionsOf(seen) };
    return seen.url === last.url && scorer.fingerprint(now) === scorer.fingerprint(last);
  }

  /** Nothing shows that the call has done anything. */
  #isAsBefore(seen: Observation): boolean {
    return seen.state === 'ok' && seen.dom === this.#lastDom && seen.url === this.last?.url && !seen.dialogOpen;
  }

  /** The page as it is when two looks agree, or when it has changed for long enough. */
  async #settled<T extends { seen: Observation }>(first: T, look: () => Promise<T>): Promise<T> {
    const { pages } = this.#connection;
    let last = first;
    for (let looks = 0; looks < MAX_SETTLING; looks++) {
      await this.#attempt.server.witness.observe({ pages, afterPaint: true });
      const next = await look();
      if (next.seen.state !== 'ok' || next.seen.dom === last.seen.dom) return next;
      last = next;
    }
    return last;
  }

  #append(seen: EvidenceBody): void {
    const { journal, scorer, secrets } = this.#attempt;
    const settled = this.#isSettled ? { settled: true } : {};
    const body = secrets.redact({ ...seen, ...settled, watchedMs: this.#watchedMs });
    const state = scorer.fingerprint(body);
    scorer.onEvidence(journal.append({ ...body, ...(state === undefined ? {} : { state }) }));
    const isFirst = this.last === undefined;
    this.last = body;
    this.#lastDom = body.digests?.dom;
    if (body.callId === undefined && !isFirst) return;
    this.#isSettled = false;
    this.#hasNoise = false;
    this.#calledAt = performance.now();
    this.#watchedMs = 0;
  }

  /** Only where the contract asks what the page looks like: a picture and its hash cost many times a look. */
  async #pictureFacts(): Promise<PictureFacts> {
    const { server, exemplars, questions, questionSignal } = this.#attempt;
    const known = exemplars ? { exemplars } : {};
    const shot = await server.witness.screenshot({ pages: this.#connection.pages });
    if ('failed' in shot) return { ...known, unavailable: { screenshot: `There is no screenshot: ${shot.failed}.` } };
    const [hashed, answered] = await Promise.all([this.#hashOf(shot.data), questions?.answers(shot, questionSignal)]);
    return withFacts({ ...known, ...hashed }, answered ?? {});
  }

  async #hashOf(picture: Buffer): Promise<PictureFacts> {
    try {
      return { screenshot: { hash: await this.#attempt.server.hashOf(picture) } };
    } catch (error) {
      return { unavailable: { screenshot: messageOf(error) } };
    }
  }
}

/** How many pauses are over after a time, and how long the first one still goes on. */
function pausesOver(pausesMs: readonly number[], elapsedMs: number): { over: number; restMs: number } {
  let over = 0;
  let endMs = 0;
  for (const pauseMs of pausesMs) {
    endMs += pauseMs;
    if (endMs > elapsedMs) break;
    over++;
  }
  return { over, restMs: over === 0 ? endMs - elapsedMs : 0 };
}

type PictureFacts = Pick<Facts, 'screenshot' | 'exemplars' | 'answers' | 'unavailable'>;

/** Both facts; what is unavailable in either is unavailable. */
function withFacts(facts: Facts, more: Facts): Facts {
  const unavailable = { ...facts.unavailable, ...more.unavailable };
  return { ...facts, ...more, ...(Object.keys(unavailable).length > 0 ? { unavailable } : {}) };
}
