/** One turn of a model within an attempt: asked, and everything about it written into the journal. */
import type { Session } from '../../episode/index.ts';
import { CallFailure, type GenerateRequest, type Generation, generate, type OpenedModel } from '../../models/index.ts';

/** Who thinks. An executor is named; `agent` and `orchestrator` are one each. */
export interface Thinker {
  readonly role: 'agent' | 'orchestrator' | 'executor';
  readonly executorId?: string | undefined;
}

export interface TurnOptions {
  readonly thinker: Thinker;
  readonly model: OpenedModel;
  readonly session: Pick<Session, 'say' | 'budget'>;
  readonly signal: AbortSignal;
  /** From 1. */
  readonly turn: number;
}

/** @throws CallFailure when the provider failed; the signal's reason when the attempt has ended. */
export async function modelTurn(request: GenerateRequest, options: TurnOptions): Promise<Generation> {
  const { model, session, signal, turn, thinker } = options;
  const { role, executorId } = thinker;
  const by = { role, ...(executorId === undefined ? {} : { executorId }) };
  const { say, budget } = session;
  say({ type: 'turn', phase: 'start', turn, ...by });
  try {
    const reply = await generate(model, request, signal, { remainingMs: () => remaining(budget.time) });
    say({ type: 'usage', ...reply.usage, ...by });
    for (const message of reply.warnings) say({ type: 'warning', source: 'agent_execution', message });
    return reply;
  } catch (error) {
    if (error instanceof CallFailure) say({ type: 'error', content: error.message, errorCode: error.code });
    throw error;
  } finally {
    // A usage may have ended the attempt by its cap; the end of the turn is written all the same.
    say({ type: 'turn', phase: 'end', turn, ...by });
  }
}

function remaining({ used, limit }: Session['budget']['time']): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : limit - used;
}
