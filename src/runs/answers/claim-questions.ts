/** The questions of a run as claims, a few at a time: prompts are long, and what was claimed and not asked goes back when the work stops. */
import { WaymarkError } from '../../errors/index.ts';
import type { CellClaim } from '../database/claims.ts';
import type { DatabaseRunStore } from '../database/database-run-store.ts';

export interface ClaimedQuestion {
  readonly claim: CellClaim;
  readonly prompt: string;
}

export interface ClaimOptions {
  readonly runs: DatabaseRunStore;
  readonly runId: string;
  readonly worker: string;
  readonly batch: number;
  readonly signal: AbortSignal;
}

export async function* claimQuestions(options: ClaimOptions): AsyncGenerator<ClaimedQuestion, void, undefined> {
  const { runs, runId, worker, batch, signal } = options;
  let waiting: CellClaim[] = [];
  try {
    while (!signal.aborted) {
      waiting = await runs.claim(runId, worker, batch);
      if (waiting.length === 0) return;
      for (let claim = waiting.shift(); claim; claim = signal.aborted ? undefined : waiting.shift()) {
        yield { claim, prompt: String(claim.snapshot['prompt_text'] ?? '') };
      }
    }
  } finally {
    for (const claim of waiting) await giveBack(runs, claim);
  }
}

/** Not tried: nothing of it stays. A claim that was lost meanwhile needs no giving back. */
export async function giveBack(runs: DatabaseRunStore, claim: CellClaim): Promise<void> {
  await runs.giveUp(claim).catch((error: unknown) => {
    if (!isLeaseLost(error)) throw error;
  });
}

export function isLeaseLost(error: unknown): boolean {
  return error instanceof WaymarkError && error.code === 'lease_lost';
}
