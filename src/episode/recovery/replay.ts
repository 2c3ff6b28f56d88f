/** One replay: the calls of an attempt again, in a fresh browser slot with a fresh server, and then one candidate, which is scored. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import { messageOf } from '../../errors/index.ts';
import type { EventOf, EventType, JournalEvent, NewEvent } from '../../events/index.ts';
import type { CanonicalAction } from '../../tools/index.ts';
import type { Session, ToolCall } from '../agent.ts';
import { Attempt } from '../attempt.ts';
import type { Secrets } from '../secrets.ts';
import type { ServerUnderTest } from '../under-test.ts';
import { watchAttempt } from '../watch-attempt.ts';
import type { PathCall } from './attempt-path.ts';

export type Candidate = { call: ToolCall; canonical: unknown } | { action: CanonicalAction };

export interface ReplayInput {
  task: EpisodeTaskSpec;
  path: readonly PathCall[];
  candidate: Candidate;
  secrets: Secrets;
  callTimeoutMs: number;
  /** The page that an evidence shows: equal names mean the same page. Undefined where nothing could be seen. */
  stateOf: (evidence: EventOf<'evidence'>) => string | undefined;
  signal: AbortSignal;
}

export type Trial = { calls: number; durationMs: number } & (
  | {
      outcome: 'scored';
      call: EventOf<'tool_call'>;
      score: number;
      classification: string;
      verdict: EventOf<'contract_eval'>['verdict'];
    }
  | { outcome: 'diverged' | 'failed'; reason: string }
);

/** How long a page that is not yet what it was is waited for: between the calls, and at the fork. */
const PACE_MS = 500;
const FORK_MS = 2_000;
const LOOK_EVERY_MS = 50;
/** A proposed action that takes longer is no help: servers wait for a long time for an element that can't be used. */
const PROPOSAL_MS = 3_000;

/** Never throws because of what the replay comes to: that is its outcome. */
export async function replay(input: ReplayInput, server: ServerUnderTest): Promise<Trial> {
  const { task, path, candidate, secrets, callTimeoutMs, signal } = input;
  const began = performance.now();
  const journal = new MemoryJournal(secrets);
  await using attempt = new Attempt({
    // The candidate is not the last step that is allowed, so that nothing ends the replay but its own end.
    task: { ...task, maxSteps: path.length + 2 },
    server,
    journal,
    untilDone: true,
    secrets,
    callTimeoutMs,
    signal,
  });
  const unwatch = watchAttempt(attempt, server, signal);
  const ended = <T extends object>(how: T) => ({
    ...how,
    calls: journal.of('tool_call').filter(({ by }) => by === 'agent').length,
    durationMs: Math.round(performance.now() - began),
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    await attempt.main.start();
    const session = attempt.session();
    for (const [index, { call, canonical, isLook, after }] of path.entries()) {
      if (isLook) await session.look(call);
      else await session.step(call, { canonical });
      const isFork = index === path.length - 1;
      if (after) await arrived(attempt, journal, after, input, isFork ? FORK_MS : PACE_MS);
    }
    const fork = path.findLast(({ after }) => after !== undefined)?.after;
    if (fork && !(await arrived(attempt, journal, fork, input, 0))) {
      const calls = `${path.length} ${path.length === 1 ? 'call' : 'calls'}`;
      const reason = `After ${calls} the replay shows another page than the attempt, at ${journal.page?.url ?? 'no address'}.`;
      return ended({ outcome: 'diverged' as const, reason });
    }
    if ('action' in candidate) {
      const sentence = `The action was not done within ${PROPOSAL_MS / 1_000} seconds`;
      timer = setTimeout(() => attempt.close({ by: 'cap', sentence }), PROPOSAL_MS);
    }
    await tried(candidate, session, server);
    const call = journal.of('tool_call').at(-1);
    const reward = journal.of('reward').at(-1);
    const verdict = journal.of('contract_eval').at(-1)?.verdict ?? 'inconclusive';
    if (!call || !reward || reward.callId !== call.callId)
      return ended({ outcome: 'failed' as const, reason: 'The action could not be tried: its element was not found.' });
    const { score, classification } = reward;
    return ended({ outcome: 'scored' as const, call, score, classification, verdict });
  } catch (error) {
    const { ending } = attempt;
    const reason =
      ending?.by === 'fault' ? ending.stop.reason : ending?.by === 'cap' ? `${ending.sentence}.` : messageOf(error);
    return ended({ outcome: 'failed' as const, reason });
  } finally {
    clearTimeout(timer);
    attempt.close({ by: 'done' });
    await attempt.idle();
    await attempt.main.quiet(FORK_MS);
    unwatch();
  }
}

/** Looks until the page is what it was, or until the time is over. */
async function arrived(
  attempt: Attempt,
  journal: MemoryJournal,
  wanted: EventOf<'evidence'>,
  { stateOf, signal }: ReplayInput,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const { page } = journal;
    if (page && isSame(page, wanted, stateOf)) return true;
    if (performance.now() >= deadline || signal.aborted || attempt.isEnded()) return false;
    await delay(LOOK_EVERY_MS);
    await attempt.main.lookAgain();
  }
}

/** A page that could not be seen (a dialog is open) is the same where it has the same address and the same reason. */
function isSame(a: EventOf<'evidence'>, b: EventOf<'evidence'>, stateOf: ReplayInput['stateOf']): boolean {
  if (a.page !== b.page || a.url !== b.url) return false;
  return stateOf(a) === stateOf(b);
}

async function tried(candidate: Candidate, session: Session, server: ServerUnderTest): Promise<void> {
  if ('call' in candidate) {
    await session.step(candidate.call, { canonical: candidate.canonical });
    return;
  }
  const plan = server.render(candidate.action);
  let next = plan.next();
  while (!next.done) {
    const { tool, args, purpose } = next.value;
    const call = { tool, arguments: { ...args } };
    if (purpose === 'act') {
      await session.step(call, { canonical: candidate.action });
      return;
    }
    next = plan.next(await session.look(call));
  }
}

/** The events of a replay. They are kept nowhere: only the candidate's score is. */
class MemoryJournal {
  readonly #secrets: Secrets;
  readonly #events: JournalEvent[] = [];

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T> {
    const stamped = { seq: this.#events.length, time: Date.now(), ...this.#secrets.redact(event) };
    this.#events.push(stamped as unknown as JournalEvent);
    return stamped as unknown as EventOf<T>;
  }

  get page(): EventOf<'evidence'> | undefined {
    return this.of('evidence').at(-1);
  }

  of<T extends EventType>(type: T): EventOf<T>[] {
    return this.#events.filter((event): event is EventOf<T> => event.type === type);
  }
}
