/** The counter for the token estimates of a run's reports. */
import type { RunPlan } from '../events/index.ts';
import { loadTokenCounter, type TokenCounter } from '../metrics/index.ts';

/** Undefined where the agent replays transcripts: it reads nothing, and the tables of the tokenizer take 0.3 s and 80 MB. */
export async function tokenCounterOf({ variant }: Pick<RunPlan, 'variant'>): Promise<TokenCounter | undefined> {
  const isScripted = variant.kind === 'agent' && variant.agent.kind === 'scripted';
  return isScripted ? undefined : loadTokenCounter();
}
