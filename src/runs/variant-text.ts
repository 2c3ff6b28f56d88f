/** Runs and what they test, as lists and headings name them. */
import type { RunPlan, Variant } from '../events/index.ts';

/** The suite and what was under test; runs of 0.1.0 do not know their suite. */
export function runName({ runId, suite, variant }: Pick<RunPlan, 'runId' | 'suite' | 'variant'>): string {
  return suite.name === '' ? `Run ${runId}` : `${suite.name}, ${variantText(variant)}`;
}

/** The agent and its server, the model, or the chat page. */
export function variantText(variant: Variant): string {
  if (variant.kind === 'agent') return `${variant.agent.name ?? variant.agent.kind} on ${variant.server.name}`;
  return variant.kind === 'model' ? variant.model : variant.displayName;
}
