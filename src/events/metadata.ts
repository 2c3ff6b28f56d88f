/** `metadata.json` of an attempt: a fold of its journal and its grades, so that `waymark report` makes it again. Every attempt has one, however it ended. */
import type { EpisodeTaskSpec } from '../cases/schemas.ts';
import { isAgentOutcome, type OutcomeClass, outcomeClass } from '../metrics/index.ts';
import { CUT_OFF } from './cut-off.ts';
import { type EventOf, isStep, type JournalEvent } from './events.ts';
import type { Grade } from './grade.ts';
import { type AttemptMetadata, METADATA_SOURCES, type MetadataSource } from './metadata-schema.ts';
import { usageOf } from './metadata-usage.ts';
import { UsageFold } from './usage-totals.ts';
import { VerdictFold } from './verdict-fold.ts';

/** Entries of errors and of warnings, and characters of a message: a summary, not a second journal. */
const METADATA_LIMITS = { entries: 100, message: 500 } as const;

type Problem = AttemptMetadata['errors'][number];
type GraderResult = AttemptMetadata['grader_results'][string];

/**
 * @example
 * const fold = new MetadataFold();
 * for (const event of events) fold.add(event);
 * fold.metadata(grades)?.total_steps; // => 3
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
  /** What a question asked and what was answered; a task has its goal, and its answer in the stop. */
  #asked: string | undefined;
  #said: string | undefined;
  readonly #pictures = new Set<string>();
  readonly #tools = new Map<string, string>();
  readonly #errors: Problem[] = [];
  readonly #warnings: AttemptMetadata['warnings'] = [];
  readonly #usage = new UsageFold();

  add(event: JournalEvent): void {
    this.#ended = event.time;
    this.#usage.add(event);
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
      case 'message':
        this.#message(event, timestamp);
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
  metadata(grades: readonly Grade[] = []): AttemptMetadata | undefined {
    const start = this.#start;
    if (!start) return undefined;
    const task = Object(start.task) as Partial<EpisodeTaskSpec>;
    const isQuestion = start.kind === 'question';
    return {
      query_id: start.taskId,
      dataset: start.dataset ?? '',
      query: task.goal ?? this.#asked ?? '',
      started_at: new Date(start.time).toISOString(),
      completed_at: new Date(this.#ended).toISOString(),
      total_duration_ms: this.#ended - start.time,
      total_steps: this.#steps,
      tool_calls: this.#calls,
      screenshots: { attempted: this.#attempted, written: this.#pictures.size },
      termination_reason: terminationOf(this.#stop?.status),
      final_answer: this.#stop?.answer ?? (isQuestion ? this.#said : undefined) ?? null,
      errors: [...this.#errors, ...this.#ending()],
      warnings: this.#warnings,
      agent_config: agentConfig(start.agent),
      ...determinismOf(start),
      ...usageOf(this.#usage),
      grader_results: { ...(isQuestion ? {} : { contract: this.#contractGrade() }), ...latestResults(grades) },
    };
  }

  #message({ message }: EventOf<'message'>, timestamp: string): void {
    if (message.type === 'user') this.#asked ??= message.content;
    else if (message.type === 'assistant') this.#said = message.content;
    else if (message.type === 'error') {
      const details = { code: message.errorCode ?? null };
      keep(this.#errors, { source: 'agent_execution', message: message.content, timestamp, details });
    }
  }

  /** What ended an attempt that did not end by itself. */
  #ending(): Problem[] {
    const timestamp = new Date(this.#ended).toISOString();
    const stop = this.#stop;
    if (!stop) return [{ source: 'unknown', message: CUT_OFF, timestamp }];
    const isFault = stop.status === 'tool_error' || stop.status === 'adapter_error' || stop.status === 'error';
    if (!isFault && stop.cause !== 'grader') return [];
    const code = stop.error === undefined ? {} : { code: stop.error.code };
    const details = { status: stop.status, cause: stop.cause ?? null, ...code };
    const otherwise = stop.status === 'tool_error' ? 'unknown' : 'agent_execution';
    return [{ source: CAUSES[stop.cause ?? ''] ?? otherwise, message: clip(stop.reason), timestamp, details }];
  }

  /** The deterministic outcome. What was not the agent's doing is an error of the grading, and never a failed grade. */
  #contractGrade(): GraderResult {
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

/** Of an attempt that could not be begun: there is no journal to fold. */
export function unbegunMetadata(about: {
  task: EpisodeTaskSpec;
  dataset: string;
  startedAt: number;
  endedAt: number;
  source: MetadataSource;
  message: string;
  outcome: OutcomeClass;
  agent: EventOf<'start'>['agent'];
}): AttemptMetadata {
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
    agent_config: agentConfig(agent),
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

/** The other sources of a journal's warnings. What another slot did to this one's browser has no name in the metadata. */
const WARNING_SOURCES: Readonly<Record<string, MetadataSource>> = { server: 'mcp_tool', ledger: 'message_logging' };

function sourceOf(given: string): MetadataSource {
  return METADATA_SOURCES.find((known) => known === given) ?? WARNING_SOURCES[given] ?? 'unknown';
}

function terminationOf(status: EventOf<'stop'>['status'] | undefined): AttemptMetadata['termination_reason'] {
  if (status === 'passed' || status === 'failed' || status === 'answered') return 'completed';
  return status === 'max_steps' || status === 'timeout' ? status : 'error';
}

function agentConfig({ kind, name, config }: EventOf<'start'>['agent']): AttemptMetadata['agent_config'] {
  const isRecord = typeof config === 'object' && config !== null && !Array.isArray(config);
  const more = config === undefined ? {} : isRecord ? config : { config };
  return { ...more, kind, ...(name === undefined ? {} : { name }) };
}

/** The newest round of each grader. */
function determinismOf(start: EventOf<'start'>): { determinism?: unknown } {
  if (start.kind === 'question' || start.environment.determinism === undefined) return {};
  return { determinism: start.environment.determinism };
}

function latestResults(grades: readonly Grade[]): Record<string, GraderResult> {
  const latest = new Map<string, Grade>();
  for (const one of grades) if (one.round >= (latest.get(one.grader)?.round ?? 0)) latest.set(one.grader, one);
  return Object.fromEntries(
    [...latest].map(([name, { grader, verdict, score, reasoning = '', details, artifacts = [] }]) => [
      name,
      { grader, verdict, score, reasoning, details, artifacts },
    ]),
  );
}

function keep<T extends { message: string }>(list: T[], entry: T): void {
  if (list.length < METADATA_LIMITS.entries) list.push({ ...entry, message: clip(entry.message) });
}

function clip(text: string): string {
  return text.length > METADATA_LIMITS.message ? `${text.slice(0, METADATA_LIMITS.message)}…` : text;
}
