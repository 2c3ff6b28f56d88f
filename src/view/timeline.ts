/** Who did what when: a row for the agent and for each executor, with the time in which its model thought, its calls, and the delegations to it. Bounded in size. */
import { type Delegation, type EventOf, type JournalEvent, Owners, type RoleMetrics } from '../events/index.ts';
import { clip, short } from './clip.ts';
import { HTML_LIMITS } from './limits.ts';

export interface TimelineSpan {
  kind: 'thinking' | 'call';
  /** Milliseconds since the start. */
  from: number;
  to: number;
  label: string;
  isError?: boolean;
  /** The number of the call's event: its place among the steps. */
  seq?: number;
}

export interface TimelineRow {
  role: RoleMetrics['role'];
  executorId?: string;
  spans: TimelineSpan[];
  delegations: Delegation[];
}

export interface Timeline {
  durationMs: number;
  rows: TimelineRow[];
  /** Spans that are not shown. */
  leftOut: number;
}

/** `roles` and `delegations` are those of the result. */
export function timelineOf(
  events: readonly JournalEvent[],
  { roles = [], delegations = [] }: { roles?: RoleMetrics[] | undefined; delegations?: Delegation[] | undefined },
): Timeline {
  const begin = events[0]?.time ?? 0;
  const durationMs = (events.at(-1)?.time ?? begin) - begin;
  const fold = new SpanFold(begin);
  for (const event of events) fold.add(event);
  const spans = fold.spans(durationMs);
  const shown = spans.slice(0, HTML_LIMITS.timelineSpans);
  const rows = roles.map(({ role, executorId }) => ({
    role,
    ...(executorId === undefined ? {} : { executorId }),
    spans: shown.filter(({ owner }) => owner === executorId).map(({ owner: _, ...span }) => span),
    delegations: delegations.filter((one) => one.executorId === executorId).map(shortened),
  }));
  return { durationMs, rows, leftOut: spans.length - shown.length };
}

type Placed = TimelineSpan & { owner: string | undefined };

class SpanFold {
  readonly #begin: number;
  readonly #spans: Placed[] = [];
  readonly #calls = new Map<string, Placed>();
  readonly #turns = new Map<string | undefined, Placed>();
  readonly #owners = new Owners();

  constructor(begin: number) {
    this.#begin = begin;
  }

  add(event: JournalEvent): void {
    this.#owners.add(event);
    if (event.type === 'turn') this.#turn(event);
    else if (event.type === 'tool_call') this.#call(event);
    else if (event.type === 'tool_result') this.#result(event);
  }

  /** What has no end lasted until the end. */
  spans(durationMs: number): Placed[] {
    return this.#spans.map((span) => ({ ...span, to: Number.isFinite(span.to) ? span.to : durationMs }));
  }

  #turn(event: EventOf<'turn'>): void {
    const owner = this.#owners.of(event);
    const at = event.time - this.#begin;
    if (event.phase === 'start') {
      const span = {
        kind: 'thinking' as const,
        owner,
        from: at,
        to: Number.POSITIVE_INFINITY,
        label: `turn ${event.turn}`,
      };
      this.#turns.set(owner, span);
      this.#spans.push(span);
      return;
    }
    const open = this.#turns.get(owner);
    this.#turns.delete(owner);
    if (open) open.to = at;
  }

  #call(event: EventOf<'tool_call'>): void {
    const { callId, tool, step, by, time, seq } = event;
    // The harness's own calls belong to no role.
    if (by === 'harness') return;
    const which = step > 0 ? `step ${step}: ` : 'look: ';
    const span: Placed = {
      kind: 'call',
      owner: this.#owners.of(event),
      from: time - this.#begin,
      to: Number.POSITIVE_INFINITY,
      label: `${which}${short(tool, 60)}`,
      seq,
    };
    this.#calls.set(callId, span);
    this.#spans.push(span);
  }

  #result({ callId, isError, time }: EventOf<'tool_result'>): void {
    const span = this.#calls.get(callId);
    if (!span) return;
    span.to = time - this.#begin;
    if (isError) span.isError = true;
  }
}

function shortened(delegation: Delegation): Delegation {
  const { instruction, summary } = delegation;
  return {
    ...delegation,
    instruction: clip(instruction, HTML_LIMITS.text).text,
    summary: clip(summary, HTML_LIMITS.text).text,
  };
}
