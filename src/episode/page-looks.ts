/** The looks of the harness at the page of one lane: evidence, the contract's verdict and the reward, and what is worth seeing between steps. */
import { compactFacts, evaluateFacts, type Facts, type Verdict } from '../contracts/index.ts';
import { messageOf } from '../errors/index.ts';
import type { EvidenceBody } from '../events/index.ts';
import type { LaneConnection } from '../tools/index.ts';
import { type AttemptContext, attemptEnded } from './attempt-context.ts';
import { factsFrom } from './look-facts.ts';

export interface LookAbout {
  callId?: string | undefined;
  phase: 'start' | 'step' | 'final';
  /** When the lane's last call was sent. */
  lastToolCall: number;
  /** Read everything anew. */
  full?: boolean;
  timeoutMs?: number;
}

export class PageLooks {
  readonly #attempt: AttemptContext;
  readonly #connection: LaneConnection;
  readonly #lane: { executorId?: string };
  /** The newest evidence. */
  last: EvidenceBody | undefined;

  constructor(attempt: AttemptContext, connection: LaneConnection, lane: { executorId?: string }) {
    this.#attempt = attempt;
    this.#connection = connection;
    this.#lane = lane;
  }

  async judge({ callId, phase, lastToolCall, ...how }: LookAbout): Promise<Verdict> {
    const { server, journal, contract, needed, scorer, secrets, contractEnter } = this.#attempt;
    const { witness } = server;
    const { pages } = this.#connection;
    const { domText, domValue, domCount, performance } = needed;
    // At once, so that both see the page at the same moment.
    const [seen, scripts] = await Promise.all([
      witness.observe({ pages, domText, domValue, domCount, performance: performance.length > 0, ...how }),
      needed.script.length === 0 ? {} : witness.scripts(needed.script, { pages }),
    ]);
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

  /** A second look, while the agent thinks: what moved by itself is noise, and not the next step's doing. */
  async again(): Promise<void> {
    const { pages } = this.#connection;
    const seen = await this.#attempt.server.witness.observe({ pages });
    // Most pages keep still; only what moved by itself is worth an event.
    const moved = seen.state === 'ok' && this.last?.page === 'ok' && seen.dom !== this.last.digests?.dom;
    if (moved) this.#append({ ...this.#attempt.evidence.take(seen, pages), ...this.#lane });
  }

  #append(seen: EvidenceBody): void {
    const { journal, scorer, secrets } = this.#attempt;
    const body = secrets.redact(seen);
    const state = scorer.fingerprint(body);
    scorer.onEvidence(journal.append({ ...body, ...(state === undefined ? {} : { state }) }));
    this.last = body;
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

type PictureFacts = Pick<Facts, 'screenshot' | 'exemplars' | 'answers' | 'unavailable'>;

/** Both facts; what is unavailable in either is unavailable. */
function withFacts(facts: Facts, more: Facts): Facts {
  const unavailable = { ...facts.unavailable, ...more.unavailable };
  return { ...facts, ...more, ...(Object.keys(unavailable).length > 0 ? { unavailable } : {}) };
}
