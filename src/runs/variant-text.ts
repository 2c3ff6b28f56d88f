/** Runs and what they test, as lists and headings name them. */
import type { RunPlan, Variant } from '../events/index.ts';

/** The suite and what was under test; runs of 0.1.0 do not know their suite. */
export function runName({ runId, suite, variant }: Pick<RunPlan, 'runId' | 'suite' | 'variant'>): string {
  return suite.name === '' ? `Run ${runId}` : `${suite.name}, ${variantText(variant)}`;
}

/** The agent and its server, the model, or the chat page. stored-runs.ts says the same in SQL. */
export function variantText(variant: Variant): string {
  if (variant.kind === 'model') return variant.model;
  if (variant.kind === 'capture') return variant.displayName;
  const { agent, server } = variant;
  const model = variantModel(variant);
  return `${agent.name ?? `${agent.kind}${model === null ? '' : ` (${model})`}`} on ${server.name}`;
}

/** The model that is asked, without where it is; of an orchestrator and its executors both, where they differ. */
export function variantModel(variant: Variant): string | null {
  if (variant.kind === 'model') return variant.model;
  if (variant.kind === 'capture') return null;
  const { model, orchestratorModel, executorModel } = Object(variant.agent.config) as Record<string, unknown>;
  const named = (model === undefined ? [orchestratorModel, executorModel] : [model]).flatMap((name) =>
    typeof name === 'string' ? name.split(' at ', 1) : [],
  );
  return named.length === 0 ? null : [...new Set(named)].join(', ');
}
