/** The judge that a run agreed on, ready to be called, or why there is none. */
import { z } from 'zod';
import type { JudgeProvider } from '../../graders/index.ts';
import type { Queryable } from '../../store/index.ts';
import { callableProvider, providerRef } from '../../store/index.ts';
import { judgeForRun } from './judge-for-run.ts';

export type RunJudge = { status: 'ready'; provider: JudgeProvider } | { status: 'blocked'; reason: string };

const configSchema = z.object({
  judge: z
    .object({ provider_id: z.string().nullish(), model: z.string().nullish(), prompt: z.string().nullish() })
    .nullish(),
});

export async function judgeOfRun(
  db: Queryable,
  run: { config: unknown; providerId: string | null; model: string | null },
): Promise<RunJudge> {
  const judge = configSchema.safeParse(run.config).data?.judge;
  const configured = await providerRef(db, judge?.provider_id);
  const own = await providerRef(db, run.providerId);
  const decided = judgeForRun(judge, configured, own, run.model);
  if (decided.status === 'blocked') return decided;
  const provider = await callableProvider(db, decided.provider_id);
  return { status: 'ready', provider: { ...provider, model: decided.model, prompt: decided.prompt } };
}
