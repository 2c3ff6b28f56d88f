/** An attempt as an ATIF trajectory. A fold of its journal: messages, calls with their results, pictures by path, tokens. */
import { type JournalEvent, type ModelUsage, messagesOf, sumUsage, type TraceMessage } from '../../events/index.ts';
import { type AtifDocument, type AtifStep, atifDocumentSchema } from './atif-schema.ts';
import type { ExportedAttempt } from './exported-attempts.ts';

type DraftStep = Omit<AtifStep, 'step_id'>;

export function atifDocument({ events, start, result }: ExportedAttempt): AtifDocument {
  const { runId, taskId, trial, attempt, agent, task, hashes, server, environment } = start;
  const { usage } = result;
  const steps = new AtifSteps(events).steps();
  const model = usage?.models[0];
  return atifDocumentSchema.parse({
    schema_version: 'ATIF-v1.7',
    session_id: runId,
    trajectory_id: `${runId}/${taskId}/trial-${trial}/attempt-${attempt}`,
    agent: {
      name: agent.name ?? agent.kind,
      version: environment.waymark,
      ...(model === undefined ? {} : { model_name: model }),
      extra: { kind: agent.kind, server },
    },
    steps,
    final_metrics: {
      // Unknown is absent, and not zero.
      ...(usage?.inputTokens == null ? {} : { total_prompt_tokens: usage.inputTokens }),
      ...(usage?.outputTokens == null ? {} : { total_completion_tokens: usage.outputTokens }),
      ...(usage?.cachedInputTokens == null ? {} : { total_cached_tokens: usage.cachedInputTokens }),
      ...(usage?.costUsd == null ? {} : { total_cost_usd: usage.costUsd }),
      total_steps: steps.length,
    },
    extra: {
      waymark: {
        task,
        hashes,
        trial,
        attempt,
        status: result.status,
        outcome: result.outcome,
        success: result.success,
        reason: result.reason,
        ...(result.grades ? { grades: result.grades } : {}),
      },
    },
  });
}

/** Files that the document names, relative to the attempt's folder. */
export function picturesIn({ steps }: AtifDocument): string[] {
  const contents = steps.flatMap(({ observation }) => observation?.results ?? []).map(({ content }) => content);
  const parts = contents.flatMap((content) => (Array.isArray(content) ? content : []));
  return [...new Set(parts.flatMap((part) => (part.type === 'image' ? [part.source.path] : [])))];
}

class AtifSteps {
  readonly #steps: DraftStep[] = [];
  /** The step that each open call stands in. */
  readonly #calls = new Map<string, DraftStep>();
  readonly #pictures: ReadonlyMap<string, string>;
  /** Usage of models that belongs to the next step of the agent. */
  #used: ModelUsage[] = [];
  #delegations = 0;

  constructor(events: readonly JournalEvent[]) {
    this.#pictures = new Map(
      events.flatMap((event) =>
        event.type === 'screenshot' && event.callId !== undefined && event.file !== undefined
          ? [[event.callId, event.file]]
          : [],
      ),
    );
    const usage = events.flatMap((event) => (event.type === 'usage' && event.role !== 'grader' ? [event] : []));
    for (const message of messagesOf(events)) {
      const at = Date.parse(message.timestamp);
      while (usage[0] && usage[0].time <= at) this.#used.push(...usage.splice(0, 1));
      this.#add(message);
    }
    this.#used.push(...usage);
    this.#end();
  }

  steps(): AtifStep[] {
    return this.#steps.map((step, index) => ({ step_id: index + 1, ...step }));
  }

  #add(message: TraceMessage): void {
    const { timestamp } = message;
    const lane = 'executorId' in message && message.executorId !== undefined ? { executor_id: message.executorId } : {};
    switch (message.type) {
      case 'user':
        this.#steps.push({ timestamp, source: 'user', message: message.content });
        return;
      case 'assistant':
        this.#agentStep(timestamp, message.content, lane);
        return;
      case 'error':
        this.#steps.push({
          timestamp,
          source: 'system',
          message: message.content,
          extra: { error: true, ...(message.errorCode === undefined ? {} : { error_code: message.errorCode }) },
        });
        return;
      case 'tool_call':
        this.#call(message.toolCallId, message.tool, message.params, timestamp, lane);
        return;
      case 'tool_result':
        this.#result(message.toolCallId, message.result, message.isError ? { is_error: true } : {});
        return;
      case 'delegation':
        this.#delegations++;
        this.#call(
          `delegation-${this.#delegations}-${message.executorId}`,
          'delegate',
          {
            instruction: message.instruction,
            executor_id: message.executorId,
            ...(message.maxSteps === undefined ? {} : { max_steps: message.maxSteps }),
          },
          timestamp,
          {},
        );
        return;
      case 'delegation_result': {
        const { executorId, summary, status, stepsUsed } = message;
        const id = [...this.#calls.keys()].find(
          (key) => /^delegation-\d+-/.test(key) && key.endsWith(`-${executorId}`),
        );
        if (id !== undefined) this.#result(id, summary, { status, steps_used: stepsUsed });
      }
    }
  }

  #agentStep(timestamp: string, message: string, extra: object): DraftStep {
    const step: DraftStep = { timestamp, source: 'agent', message, ...this.#metrics() };
    if (Object.keys(extra).length > 0) step.extra = { ...extra };
    this.#steps.push(step);
    return step;
  }

  /** Calls that were made at once, or right after what the agent said, are of one step. */
  #call(id: string, tool: string, params: unknown, timestamp: string, lane: { executor_id?: string }): void {
    const last = this.#steps.at(-1);
    const isSame =
      last?.source === 'agent' &&
      last.observation === undefined &&
      last.extra?.['executor_id'] === lane.executor_id &&
      this.#used.length === 0;
    const step = isSame ? last : this.#agentStep(timestamp, '', lane);
    const isRecord = typeof params === 'object' && params !== null && !Array.isArray(params);
    step.tool_calls = [
      ...(step.tool_calls ?? []),
      {
        tool_call_id: id,
        function_name: tool,
        arguments: isRecord ? { ...params } : {},
        ...(isRecord || params === undefined ? {} : { extra: { arguments: params } }),
      },
    ];
    this.#calls.set(id, step);
  }

  #result(id: string, text: string, extra: object): void {
    const step = this.#calls.get(id);
    if (!step) return;
    this.#calls.delete(id);
    const picture = this.#pictures.get(id);
    const image = { type: 'image' as const, source: { media_type: 'image/jpeg' as const, path: picture ?? '' } };
    step.observation = {
      results: [
        ...(step.observation?.results ?? []),
        {
          source_call_id: id,
          content: picture === undefined ? text : [{ type: 'text', text }, image],
          ...(Object.keys(extra).length > 0 ? { extra: { ...extra } } : {}),
        },
      ],
    };
  }

  #metrics(): Pick<DraftStep, 'metrics' | 'model_name'> {
    const used = sumUsage(this.#used);
    const calls = this.#used.length;
    this.#used = [];
    if (!used) return {};
    return {
      model_name: used.model,
      metrics: {
        ...(used.inputTokens === undefined ? {} : { prompt_tokens: used.inputTokens }),
        ...(used.outputTokens === undefined ? {} : { completion_tokens: used.outputTokens }),
        ...(used.cachedInputTokens === undefined ? {} : { cached_tokens: used.cachedInputTokens }),
        ...(used.costUsd === undefined ? {} : { cost_usd: used.costUsd }),
        ...(calls > 1 ? { extra: { calls } } : {}),
      },
    };
  }

  /** A call of a model after which nothing was said or done. */
  #end(): void {
    if (this.#used.length === 0) return;
    const last = this.#steps.findLast(({ source }) => source === 'agent');
    if (last && last.metrics === undefined) Object.assign(last, this.#metrics());
    else this.#steps.push({ source: 'agent', message: '', ...this.#metrics() });
  }
}
