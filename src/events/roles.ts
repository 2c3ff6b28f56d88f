/** Who did what in an attempt: steps, errors, reward, tokens and time of the orchestrator and of each executor. */
import { type EventOf, isStep, type JournalEvent } from './events.ts';
import { Owners } from './owners.ts';
import { GRADER_ROLE, UsageFold, type UsageTotals } from './usage-totals.ts';

export interface RoleMetrics {
  /** `agent`: one agent is the whole. */
  role: 'agent' | 'orchestrator' | 'executor';
  /** Of an executor. */
  executorId?: string;
  delegations: number;
  steps: number;
  looks: number;
  /** Results of its calls that are errors. */
  errors: number;
  /** The sum over its steps; null where none was scored. */
  reward: number | null;
  /** Null where it called no model. */
  usage: UsageTotals | null;
  /** Turns of its model. */
  turns: number;
  /** Milliseconds in which its model was asked; null where no turn was recorded. */
  thinkingMs: number | null;
  /** Milliseconds in which the tool server worked on its calls. */
  toolMs: number;
}

type Row = Omit<RoleMetrics, 'role' | 'usage' | 'executorId'>;
/** The executor's name; undefined for the agent or the orchestrator. */
type Owner = string | undefined;

export class RoleFold {
  readonly #rows = new Map<Owner, Row>();
  readonly #owners = new Owners();
  readonly #usage = new UsageFold();
  /** Since when a model is asked. */
  readonly #thinking = new Map<Owner, number>();
  readonly #byCall = new Map<string, Row>();
  #hasOrchestrator = false;
  #time = 0;

  add(event: JournalEvent): void {
    this.#time = event.time;
    this.#usage.add(event);
    this.#owners.add(event);
    switch (event.type) {
      case 'start':
        this.#hasOrchestrator = event.agent.kind === 'orchestrator-executor';
        break;
      case 'message':
        if (event.message.type !== 'delegation') break;
        this.#hasOrchestrator = true;
        this.#row(event.message.executorId).delegations++;
        break;
      case 'usage':
      case 'turn':
        if (event.role === GRADER_ROLE) break;
        this.#hasOrchestrator ||= event.role === 'orchestrator';
        if (event.type === 'turn') this.#turn(event);
        else this.#row(this.#owners.of(event));
        break;
      case 'tool_call': {
        if (event.by !== 'agent') break;
        const row = this.#row(this.#owners.of(event));
        if (isStep(event)) row.steps++;
        else if (event.look) row.looks++;
        this.#byCall.set(event.callId, row);
        break;
      }
      case 'tool_result': {
        const row = this.#byCall.get(event.callId);
        if (!row) break;
        if (event.isError) row.errors++;
        row.toolMs += event.durationMs;
        break;
      }
      case 'reward': {
        const row = event.final ? this.#row(this.#owners.of(event)) : this.#byCall.get(event.callId ?? '');
        const adds = event.contribution ?? event.score;
        if (row) row.reward = Math.round(((row.reward ?? 0) + adds) * 10_000) / 10_000;
        break;
      }
      default:
    }
  }

  /** The agent's or orchestrator's row first, then executors in the order in which they appear. */
  list(): RoleMetrics[] {
    const first = this.#hasOrchestrator ? 'orchestrator' : 'agent';
    const executors = [...this.#rows].filter(([executorId]) => executorId !== undefined);
    return [[undefined, this.#row(undefined)] as const, ...executors].map(([executorId, row]) => ({
      role: executorId === undefined ? first : 'executor',
      ...(executorId === undefined ? {} : { executorId }),
      ...row,
      thinkingMs: this.#thinkingOf(executorId, row),
      toolMs: Math.round(row.toolMs),
      usage: this.#usage.of(executorId) ?? null,
    }));
  }

  #turn(event: EventOf<'turn'>): void {
    const owner = this.#owners.of(event);
    const row = this.#row(owner);
    if (event.phase === 'start') {
      row.turns++;
      this.#thinking.set(owner, event.time);
      return;
    }
    const since = this.#thinking.get(owner);
    this.#thinking.delete(owner);
    if (since !== undefined) row.thinkingMs = (row.thinkingMs ?? 0) + event.time - since;
  }

  /** A turn that the end cut off was thinking until then. */
  #thinkingOf(owner: Owner, { thinkingMs }: Row): number | null {
    const since = this.#thinking.get(owner);
    return since === undefined ? thinkingMs : (thinkingMs ?? 0) + this.#time - since;
  }

  #row(owner: Owner): Row {
    const known = this.#rows.get(owner);
    if (known) return known;
    const row: Row = {
      delegations: 0,
      steps: 0,
      looks: 0,
      errors: 0,
      reward: null,
      turns: 0,
      thinkingMs: null,
      toolMs: 0,
    };
    this.#rows.set(owner, row);
    return row;
  }
}
