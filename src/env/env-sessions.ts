/**
 * The sessions of an environment. Each is an attempt of one run, at the next trial of its task: the plan of the run grows by a cell when a
 * client asks for a session, and a free worker of the run takes it.
 */
import { randomUUID } from 'node:crypto';
import { WaymarkError } from '../errors/index.ts';
import type { AttemptRef, JournalEvent } from '../events/index.ts';
import type { AgentChoice, AttemptEnd, Claim, FolderRunStore } from '../runs/local.ts';
import { EnvSession } from './env-session.ts';

/** Sessions that have ended are known for a while, so that they can still be evaluated. */
const KEPT = 200;

const TRAINED =
  'The rewards and verdicts of this attempt were shown to the agent while it acted: it was trained here, not evaluated.';

export interface EnvSessionsOptions {
  store: FolderRunStore;
  runId: string;
  exposeReward: boolean;
  /** How long a client waits for a free worker. */
  waitMs: number;
  signal: AbortSignal;
}

interface Wanted {
  caseId: string;
  seed: number | undefined;
  begin: (session: EnvSession) => void;
}

export class EnvSessions {
  readonly #options: EnvSessionsOptions;
  readonly #byId = new Map<string, EnvSession>();
  /** By the attempt's folder, which is all that an agent is made from. */
  readonly #byFolder = new Map<string, EnvSession>();
  readonly #wanted: Wanted[] = [];
  /** Wakes up a worker that waits for a client. */
  #wakeUp = Promise.withResolvers<void>();

  constructor(options: EnvSessionsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#wakeUp.resolve(), { once: true });
  }

  /** For the run: its agent is the client. */
  get agent(): AgentChoice {
    return {
      kind: 'env',
      config: { exposeReward: this.#options.exposeReward },
      make: (_task, { folder }) => {
        const session = this.#byFolder.get(folder);
        if (!session) throw new Error(`There is no session for ${folder}.`);
        return session.agent;
      },
    };
  }

  /** For the run: a claim for each session that a client asks for, until the run is stopped. */
  async *claims(): AsyncGenerator<Claim, void, undefined> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const wanted = this.#wanted.shift();
      if (wanted) yield this.#begin(wanted);
      else {
        this.#wakeUp = Promise.withResolvers();
        await this.#wakeUp.promise;
      }
    }
  }

  /** A session at the next trial of a task, as soon as a worker is free. */
  async open(caseId: string, seed: number | undefined): Promise<EnvSession> {
    const { promise, resolve, reject } = Promise.withResolvers<EnvSession>();
    const wanted: Wanted = { caseId, seed, begin: resolve };
    this.#wanted.push(wanted);
    this.#wakeUp.resolve();
    const { waitMs } = this.#options;
    const timer = setTimeout(() => {
      const at = this.#wanted.indexOf(wanted);
      if (at < 0) return;
      this.#wanted.splice(at, 1);
      const message = `All sessions are in use, and none became free within ${waitMs / 1000} seconds.`;
      const hint = 'Evaluate or close sessions that are done, or start waymark env with a higher --concurrency.';
      reject(new WaymarkError({ code: 'env_busy', message, hint }));
    }, waitMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  get(id: string): EnvSession {
    const session = this.#byId.get(id);
    if (session) return session;
    throw new WaymarkError({ code: 'env_session_not_found', message: `There is no session "${id}".` });
  }

  onEvent(event: unknown, attempt: AttemptRef): void {
    this.#of(attempt)?.onEvent(event as JournalEvent);
  }

  onEnd(attempt: AttemptRef, end: AttemptEnd): void {
    const session = this.#of(attempt);
    if (!session) return;
    session.onEnd(end);
    this.#byFolder.delete(this.#options.store.folderOf(attempt));
    // A map keeps the order of insertion: the first that has ended is the oldest.
    const [oldest] = this.#byId.size > KEPT ? this.#byId.keys() : [];
    if (oldest !== undefined && !this.#isLive(oldest)) this.#byId.delete(oldest);
  }

  #begin({ caseId, seed, begin }: Wanted): Claim {
    const { store, runId, exposeReward } = this.#options;
    const claim = store.claimNext(runId, caseId);
    const session = new EnvSession({
      id: randomUUID(),
      attempt: claim.attempt,
      config: { exposeReward, ...(seed === undefined ? {} : { seed }) },
      warning: exposeReward ? TRAINED : undefined,
    });
    this.#byId.set(session.id, session);
    this.#byFolder.set(store.folderOf(claim.attempt), session);
    begin(session);
    return seed === undefined ? claim : { ...claim, seed };
  }

  #of(attempt: AttemptRef): EnvSession | undefined {
    return this.#byFolder.get(this.#options.store.folderOf(attempt));
  }

  #isLive(id: string): boolean {
    return [...this.#byFolder.values()].some((session) => session.id === id);
  }
}
