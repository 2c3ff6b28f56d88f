/** ATIF, the Agent Trajectory Interchange Format, versions 1.0 to 1.7: one JSON object with steps of user, agent and system. */
import { z } from 'zod';
import { outputText, type Trace, type TracePart, Unmapped } from './trace-part.ts';

const tokens = z.int().min(0).nullish();
/** Text, or since version 1.6 a list of parts. */
const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish();

export const atifSchema = z.looseObject({
  schema_version: z.string().regex(/^ATIF-v1\.\d+$/, 'a version ATIF-v1.x'),
  agent: z.looseObject({ name: z.string(), version: z.string().optional(), model_name: z.string().nullish() }),
  steps: z
    .array(
      z.looseObject({
        source: z.enum(['system', 'user', 'agent']),
        timestamp: z.string().nullish(),
        model_name: z.string().nullish(),
        message: content,
        reasoning_content: z.string().nullish(),
        tool_calls: z
          .array(z.looseObject({ tool_call_id: z.string().min(1), function_name: z.string(), arguments: z.unknown() }))
          .nullish(),
        observation: z
          .looseObject({
            results: z.array(
              z.looseObject({
                source_call_id: z.string().nullish(),
                content,
                is_error: z.boolean().nullish(),
                /** The format has no place for it: Waymark's own export puts it here. */
                extra: z.looseObject({ is_error: z.boolean().nullish() }).nullish(),
                subagent_trajectory_ref: z.array(z.unknown()).nullish(),
              }),
            ),
          })
          .nullish(),
        metrics: z
          .looseObject({
            prompt_tokens: tokens,
            completion_tokens: tokens,
            cached_tokens: tokens,
            cost_usd: z.number().nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
  subagent_trajectories: z.array(z.unknown()).nullish(),
});
type Atif = z.infer<typeof atifSchema>;
type Step = Atif['steps'][number];

export function readAtif({ schema_version, agent, steps, subagent_trajectories }: Atif): Trace {
  const unmapped = new Unmapped();
  const parts = steps.flatMap((step) => stepParts(step, agent.model_name ?? 'unknown', unmapped));
  unmapped.count('a trajectory of a subagent', subagent_trajectories?.length ?? 0);
  const { name, version } = agent;
  return { format: schema_version, agent: { name, ...(version === undefined ? {} : { version }) }, parts, unmapped };
}

function stepParts(step: Step, model: string, unmapped: Unmapped): TracePart[] {
  const time = step.timestamp == null ? Number.NaN : Date.parse(step.timestamp);
  const at = Number.isNaN(time) ? {} : { at: time };
  const text = outputText(step.message, unmapped);
  if (step.source === 'system') unmapped.count('a system step');
  if (step.reasoning_content) unmapped.count('reasoning');
  const said: TracePart[] =
    step.source === 'system' || text === ''
      ? []
      : [{ type: 'message', message: { type: step.source === 'user' ? 'user' : 'assistant', content: text }, ...at }];
  const calls = (step.tool_calls ?? []).map(
    (call): TracePart => ({
      type: 'call',
      id: call.tool_call_id,
      tool: call.function_name,
      arguments: call.arguments,
      ...at,
    }),
  );
  const results = (step.observation?.results ?? []).flatMap((result): TracePart[] => {
    unmapped.count('a reference to a trajectory of a subagent', result.subagent_trajectory_ref?.length ?? 0);
    const { source_call_id: id } = result;
    if (id != null)
      return [{ type: 'result', id, text: outputText(result.content, unmapped), isError: isError(result), ...at }];
    unmapped.count('an observation that belongs to no call');
    return [];
  });
  return [...said, ...usageParts(step, model, unmapped).map((part) => ({ ...part, ...at })), ...calls, ...results];
}

function isError({
  is_error,
  extra,
}: {
  is_error?: boolean | null | undefined;
  extra?: { is_error?: boolean | null | undefined } | null | undefined;
}): boolean {
  return is_error === true || extra?.is_error === true;
}

function usageParts({ metrics, model_name }: Step, model: string, unmapped: Unmapped): TracePart[] {
  if (metrics == null) return [];
  // What an agent says that it cost is not taken.
  if (metrics.cost_usd != null) unmapped.count('a cost that the trace reports of itself');
  const { prompt_tokens: input, completion_tokens: output, cached_tokens: cached } = metrics;
  return [
    {
      type: 'usage',
      role: 'agent',
      model: model_name ?? model,
      ...(input == null ? {} : { inputTokens: input }),
      ...(cached == null ? {} : { cachedInputTokens: cached }),
      ...(output == null ? {} : { outputTokens: output }),
    },
  ];
}
