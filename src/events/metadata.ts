/** `metadata.json` of an episode: a fold of its journal, so that `waymark report` makes it again. Every episode has one, however it ended. */
import { z } from 'zod';
import type { EpisodeTaskSpec } from '../cases/schemas.ts';
import { isAgentOutcome, type OutcomeClass, outcomeClass } from '../metrics/index.ts';
import { type EventOf, isStep, type JournalEvent } from './events.ts';
import { VerdictFold } from './verdict-fold.ts';

export const METADATA_SOURCES = [
  'window_creation',
  'navigation',
  'agent_execution',
  'mcp_tool',
  'screenshot',
  'grader',
  'message_logging',
  'cleanup',
  'unknown',
] as const;
export type MetadataSource = (typeof METADATA_SOURCES)[number];

/** Entries of errors and of warnings, and characters of a message: a summary, not a second journal. */
const METADATA_LIMITS = { entries: 100, message: 500 } as const;

const source = z.enum(METADATA_SOURCES);
const warning = z.strictObject({ source, message: z.string(), timestamp: z.iso.datetime() });
const grade = z.strictObject({
  grader: z.string(),
  verdict: z.enum(['pass', 'fail', 'error', 'skipped']),
  score: z.number().min(0).max(1).nullable(),
  reasoning: z.string(),
  details: z.unknown(),
  artifacts: z.array(z.string()),
});

export const metadataSchema = z.strictObject({
  query_id: z.string(),
  dataset: z.string(),
  query: z.string(),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime(),
  total_duration_ms: z.number().min(0),
  /** Calls of the agent; calls of agent and harness; pictures tried; pictures stored. Four numbers. */
  total_steps: z.int().min(0),
  tool_calls: z.int().min(0),
  screenshots: z.strictObject({ attempted: z.int().min(0), written: z.int().min(0) }),
  termination_reason: z.enum(['completed', 'max_steps', 'error', 'timeout']),
  final_answer: z.string().nullable(),
  errors: z.array(warning.extend({ details: z.unknown().optional() })),
  warnings: z.array(warning),
  agent_config: z.looseObject({ kind: z.string() }),
  token_usage: z.unknown().optional(),
  /** By the grader's name. */
  grader_results: z.record(z.string(), grade),
});
export type EpisodeMetadata = z.infer<typeof metadataSchema>;
type Problem = EpisodeMetadata['errors'][number];

/**
 * @example
 * const fold = new MetadataFold();
 * for (const event of events) fold.add(event);
 * fold.metadata()?.total_steps; // => 3
 */
export class MetadataFold {
  #start: EventOf<'start'> | undefined;
  #stop: EventOf<'stop'> | undefined;
  #reset: EventOf<'reset'> | undefined;
  readonly #verdict = new VerdictFold();
  #ended = 0;
  #steps = 0;
  #calls = 0;
  #attempted = 0;
  readonly #pictures = new Set<string>();
  readonly #tools = new Map<string, string>();
  readonly #errors: Problem[] = [];
  readonly #warnings: EpisodeMetadata['warnings'] = [];

  add(event: JournalEvent): void {
    this.#ended = event.time;
    const timestamp = new Date(event.time).toISOString();
    switch (event.type) {
      case 'start':
        this.#start = event;
        break;
      case 'reset':
        this.#reset = event;
        break;
      case 'tool_call':
        this.#calls++;
        if (isStep(event)) this.#steps++;
        this.#tools.set(event.callId, event.tool);
        break;
      case 'tool_result': {
        if (!event.isError) break;
        const details = { callId: event.callId, tool: this.#tools.get(event.callId), kind: event.errorKind ?? null };
        keep(this.#errors, { source: 'mcp_tool', message: event.text, timestamp, details });
        break;
      }
      case 'contract_eval':
        this.#verdict.add(event);
        break;
      case 'screenshot':
        this.#attempted++;
        if (event.ok && event.file !== undefined) this.#pictures.add(event.file);
        else keep(this.#warnings, { source: 'screenshot', message: event.reason ?? 'no picture', timestamp });
        break;
      case 'warning':
        keep(this.#warnings, { source: sourceOf(event.source), message: event.message, timestamp });
        break;
      case 'stop':
        this.#stop = event;
        break;
      default:
    }
  }

  /** Undefined where there was not even a start. */
  metadata(): EpisodeMetadata | undefined {
    const start = this.#start;
    if (!start) return undefined;
    const task = start.task as Partial<EpisodeTaskSpec>;
    return {
      query_id: start.taskId,
      dataset: start.dataset ?? '',
      query: task.goal ?? '',
      started_at: new Date(start.time).toISOString(),
      completed_at: new Date(this.#ended).toISOString(),
      total_duration_ms: this.#ended - start.time,
      total_steps: this.#steps,
      tool_calls: this.#calls,
      screenshots: { attempted: this.#attempted, written: this.#pictures.size },
      termination_reason: terminationOf(this.#stop?.status),
      final_answer: this.#stop?.answer ?? null,
      errors: [...this.#errors, ...this.#ending()],
      warnings: this.#warnings,
      agent_config: { kind: start.agent.kind, ...Object(start.agent.config) },
      grader_results: { contract: this.#grade() },
    };
  }

  /** What ended an episode that did not end by itself. */
  #ending(): Problem[] {
    const timestamp = new Date(this.#ended).toISOString();
    const stop = this.#stop;
    if (!stop)
      return [{ source: 'unknown', message: 'The journal ends without a stop: the harness was cut off.', timestamp }];
    if (stop.status !== 'tool_error' && stop.status !== 'adapter_error') return [];
    const details = { status: stop.status, cause: stop.cause ?? null };
    return [{ source: CAUSES[stop.cause ?? ''] ?? 'unknown', message: clip(stop.reason), timestamp, details }];
  }

  /** The deterministic outcome. What was not the agent's doing is an error of the grading, and never a failed grade. */
  #grade(): EpisodeMetadata['grader_results'][string] {
    const stop = this.#stop;
    const outcome = this.#outcome();
    const verdict = outcome === 'passed' ? 'pass' : isAgentOutcome(outcome) ? 'fail' : 'error';
    return {
      grader: 'contract',
      verdict,
      score: verdict === 'error' ? null : verdict === 'pass' ? 1 : 0,
      reasoning: stop?.reason ?? 'The journal ends without a stop.',
      details: { status: stop?.status ?? null, outcome, finalVerdict: this.#verdict.last?.verdict ?? 'not_judged' },
      artifacts: [],
    };
  }

  #outcome(): OutcomeClass {
    if (!this.#stop || this.#reset?.ok === false) return 'env_error';
    return outcomeClass(this.#stop.status, this.#stop.cause);
  }
}

/** Of an episode that could not be begun: there is no journal to fold. */
export function unbegunMetadata(about: {
  task: EpisodeTaskSpec;
  dataset: string;
  startedAt: number;
  endedAt: number;
  source: MetadataSource;
  message: string;
  outcome: OutcomeClass;
  agent: { kind: string };
}): EpisodeMetadata {
  const { task, dataset, startedAt, endedAt, source: where, agent } = about;
  const completed = new Date(endedAt).toISOString();
  const message = clip(about.message);
  return {
    query_id: task.id,
    dataset,
    query: task.goal,
    started_at: new Date(startedAt).toISOString(),
    completed_at: completed,
    total_duration_ms: endedAt - startedAt,
    total_steps: 0,
    tool_calls: 0,
    screenshots: { attempted: 0, written: 0 },
    termination_reason: 'error',
    final_answer: null,
    errors: [{ source: where, message, timestamp: completed }],
    warnings: [],
    agent_config: { kind: agent.kind },
    grader_results: {
      contract: {
        grader: 'contract',
        verdict: 'error',
        score: null,
        reasoning: message,
        details: { status: null, outcome: about.outcome, finalVerdict: 'not_judged' },
        artifacts: [],
      },
    },
  };
}

const CAUSES: Readonly<Record<string, MetadataSource>> = {
  reset: 'window_creation',
  fixture: 'navigation',
  browser: 'agent_execution',
  server: 'mcp_tool',
  transport: 'mcp_tool',
  adapter: 'agent_execution',
  grader: 'grader',
};

function sourceOf(given: string): MetadataSource {
  return METADATA_SOURCES.find((known) => known === given) ?? 'unknown';
}

function terminationOf(status: EventOf<'stop'>['status'] | undefined): EpisodeMetadata['termination_reason'] {
  if (status === 'passed' || status === 'failed') return 'completed';
  return status === 'max_steps' || status === 'timeout' ? status : 'error';
}

function keep<T extends { message: string }>(list: T[], entry: T): void {
  if (list.length < METADATA_LIMITS.entries) list.push({ ...entry, message: clip(entry.message) });
}

function clip(text: string): string {
  return text.length > METADATA_LIMITS.message ? `${text.slice(0, METADATA_LIMITS.message)}…` : text;
}
