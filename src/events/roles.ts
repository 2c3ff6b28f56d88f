/** Who did what in an attempt: steps, errors, reward, tokens and time of the orchestrator and of each executor. */
import { type EventOf, isStep, type JournalEvent, laneOf, MAIN_LANE } from './events.ts';
import { GRADER_ROLE, UsageFold, type UsageTotals } from './usage-totals.ts';

export interface RoleMetrics {
  /** `agent`: one agent is the whole. */
  role: 'agent' | 'orchestrator' | 'executor';
  /** The lane; `main` is that of the agent or the orchestrator. */
  executorId: string;
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

type Row = Omit<RoleMetrics, 'role' | 'usage'>;

export class RoleFold {
  readonly #rows = new Map<string, Row>();
  readonly #usage = new UsageFold();
  readonly #thinking = new Map<string, number>();
  readonly #lanes = new Map<string, string>();
  #hasOrchestrator = false;
  #time = 0;

  add(event: JournalEvent): void {
    this.#time = event.time;
    this.#usage.add(event);
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
        else this.#row(laneOf(event));
        break;
      case 'tool_call': {
        if (event.by !== 'agent') break;
        const row = this.#row(laneOf(event));
        if (isStep(event)) row.steps++;
        else row.looks++;
        this.#lanes.set(event.callId, laneOf(event));
        break;
      }
      case 'tool_result': {
        const row = this.#rowOfCall(event.callId);
        if (!row) break;
        if (event.isError) row.errors++;
        row.toolMs += event.durationMs;
        break;
      }
      case 'reward': {
        const row = this.#rowOfCall(event.callId);
        if (row) row.reward = Math.round(((row.reward ?? 0) + event.score) * 10_000) / 10_000;
        break;
      }
      default:
    }
  }

  /** The agent's or orchestrator's row first, then executors in the order in which they appear. */
  list(): RoleMetrics[] {
    this.#row(MAIN_LANE);
    const rows = [...this.#rows.values()].sort(
      (a, b) => Number(b.executorId === MAIN_LANE) - Number(a.executorId === MAIN_LANE),
    );
    const first = this.#hasOrchestrator ? 'orchestrator' : 'agent';
    return rows.map((row) => ({
      role: row.executorId === MAIN_LANE ? first : 'executor',
      ...row,
      thinkingMs: this.#thinkingOf(row),
      toolMs: Math.round(row.toolMs),
      usage: this.#usage.ofLane(row.executorId) ?? null,
    }));
  }

  #turn(event: EventOf<'turn'>): void {
    const lane = laneOf(event);
    if (event.phase === 'start') {
      this.#row(lane).turns++;
      this.#thinking.set(lane, event.time);
      return;
    }
    const since = this.#thinking.get(lane);
    this.#thinking.delete(lane);
    const row = this.#row(lane);
    if (since !== undefined) row.thinkingMs = (row.thinkingMs ?? 0) + event.time - since;
  }

  /** A turn that the end cut off was thinking until then. */
  #thinkingOf({ executorId, thinkingMs }: Row): number | null {
    const since = this.#thinking.get(executorId);
    return since === undefined ? thinkingMs : (thinkingMs ?? 0) + this.#time - since;
  }

  #rowOfCall(callId: string | undefined): Row | undefined {
    const lane = this.#lanes.get(callId ?? '');
    return lane === undefined ? undefined : this.#row(lane);
  }

  #row(executorId: string): Row {
    const known = this.#rows.get(executorId);
    if (known) return known;
    const row: Row = {
      executorId,
      delegations: 0,
      steps: 0,
      looks: 0,
      errors: 0,
      reward: null,
      turns: 0,
      thinkingMs: null,
      toolMs: 0,
    };
    this.#rows.set(executorId, row);
    return row;
  }
}
