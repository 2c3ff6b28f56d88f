/** The journal of a trace that was made elsewhere. It has what the trace says, and no evidence: the harness saw nothing of it. */
import { createHash } from 'node:crypto';
import { type EpisodeTaskSpec, taskHash } from '../../cases/index.ts';
import { contractHash } from '../../contracts/index.ts';
import {
  type AttemptRef,
  boundEvent,
  boundMessage,
  boundText,
  type EventType,
  JOURNAL_LIMITS,
  JOURNAL_VERSION,
  type JournalEvent,
  type NewEvent,
  type TaskStart,
} from '../../events/index.ts';
import { REWARD_PROVENANCE } from '../../reward/index.ts';
import type { Trace, TracePart } from './trace-part.ts';

export interface ImportedAbout {
  attempt: AttemptRef;
  task: EpisodeTaskSpec;
  dataset?: string | undefined;
  environment: TaskStart['environment'];
  /** For what the trace gives no time. */
  startedAt: number;
}

export const IMPORTED = 'imported';

type AnyNew = { [K in EventType]: NewEvent<K> & { type: K } }[EventType];

export function importedJournal(trace: Trace, about: ImportedAbout): JournalEvent[] {
  const events = new Writer(trace.parts.find(({ at }) => at !== undefined)?.at ?? about.startedAt);
  events.add(startOf(trace, about));
  for (const part of trace.parts) events.addPart(part);
  for (const [what, count] of [...trace.unmapped, ...events.unmapped]) {
    const message = `The trace has what the journal has no place for: ${what} (${count} ${count === 1 ? 'time' : 'times'}).`;
    events.add({ type: 'warning', source: 'message_logging', message });
  }
  events.add(stopOf(trace));
  return events.list;
}

class Writer {
  readonly list: JournalEvent[] = [];
  readonly unmapped = new Map<string, number>();
  /** Calls that have no result yet, with when they were made. */
  readonly #open = new Map<string, number>();
  readonly #known = new Set<string>();
  #time: number;
  #steps = 0;

  constructor(time: number) {
    this.#time = time;
  }

  add(event: AnyNew): void {
    const stamped = { seq: this.list.length, time: this.#time, ...event } as JournalEvent;
    this.list.push(boundEvent(stamped, JOURNAL_LIMITS.eventBytes).event);
  }

  /** Time never goes back, whatever the trace says. */
  addPart({ at = this.#time, ...part }: TracePart): void {
    this.#time = Math.max(this.#time, at);
    if (part.type === 'message') this.add({ type: 'message', message: boundMessage(part.message) });
    else if (part.type === 'usage') this.add(part);
    else if (part.type === 'call') this.#call(part);
    else this.#result(part);
  }

  #call({ id, tool, arguments: args }: Extract<TracePart, { type: 'call' }>): void {
    if (this.#known.has(id)) return this.#miss('a call with an id that another call has');
    this.#known.add(id);
    this.#open.set(id, this.#time);
    const step = ++this.#steps;
    // Whether it only observed is not known: that is a matter of the server's profile.
    this.add({ type: 'tool_call', callId: id, step, tool, arguments: args ?? {}, by: 'agent', observes: false });
  }

  #result({ id, text, isError }: Extract<TracePart, { type: 'result' }>): void {
    const since = this.#open.get(id);
    if (since === undefined) return this.#miss('a result that belongs to no open call');
    this.#open.delete(id);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
    const durationMs = this.#time - since;
    this.add({
      type: 'tool_result',
      callId: id,
      isError,
      ...boundText(text),
      contentTypes: ['text'],
      durationMs,
      digest,
    });
  }

  #miss(what: string): void {
    this.unmapped.set(what, (this.unmapped.get(what) ?? 0) + 1);
  }
}

function startOf({ format, agent }: Trace, about: ImportedAbout): AnyNew {
  const { attempt, task, dataset, environment } = about;
  const { runId, caseId, trial } = attempt;
  return {
    type: 'start',
    v: JOURNAL_VERSION,
    runId,
    taskId: caseId,
    ...(dataset === undefined ? {} : { dataset }),
    trial,
    attempt: attempt.attempt,
    imported: { format },
    task,
    hashes: { task: taskHash(task), contract: contractHash(task.success), ...REWARD_PROVENANCE },
    agent: {
      kind: IMPORTED,
      ...(agent ? { name: agent.name } : {}),
      config: { format, ...(agent?.version === undefined ? {} : { version: agent.version }) },
    },
    server: { name: IMPORTED, transport: 'none', isolation: 'none' },
    environment,
    hasProgressStatus: false,
  } as AnyNew;
}

/** Not judged is not failed. Where the trace itself ends with an error, it is the adapter's, as with any agent whose code fails. */
function stopOf({ format, parts, failure }: Trace): AnyNew {
  const unseen = `It was imported (${format}): the harness did not see the browser, so that the contract can't be judged.`;
  if (failure !== undefined)
    return { type: 'stop', status: 'error', reason: `The trace ends with an error: ${failure}. ${unseen}` };
  const answer = parts.findLast((part) => part.type === 'message' && part.message.type === 'assistant');
  const said = answer?.type === 'message' ? { answer: answer.message.content } : {};
  return { type: 'stop', status: 'answered', reason: unseen, ...said };
}
