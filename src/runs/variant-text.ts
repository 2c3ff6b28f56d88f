/** What was under test, as lists name it: the agent and its server, the model, or the chat page. */
import type { Variant } from '../events/index.ts';

export function variantText(variant: Variant): string {
  if (variant.kind === 'agent') return `${variant.agent.name ?? variant.agent.kind} on ${variant.server.name}`;
  return variant.kind === 'model' ? variant.model : variant.displayName;
}
