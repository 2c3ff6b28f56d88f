/** A run that waits in the database, ready to be executed. It was planned when it was launched; its items come with the claims, so that none are loaded here. */
import { callableProvider, type Queryable } from '../../store/index.ts';
import type { QuestionRun } from '../resolve-questions.ts';
import type { RunStore } from '../run-store.ts';
import { launchConfigSchema } from './launch-request.ts';
import type { RunRow } from './lock-launch.ts';

export async function resolveStoredRun(db: Queryable, store: RunStore, row: RunRow): Promise<QuestionRun> {
  const plan = await store.plan(row.id);
  if (!plan || row.providerId === null || row.model === null) {
    throw new Error(`The run ${row.id} is no run of questions: it has no plan, no provider or no model.`);
  }
  const { params, concurrency, requests_per_minute } = launchConfigSchema.parse(row.config);
  return {
    kind: 'questions',
    plan,
    items: new Map(),
    asked: { provider: await callableProvider(db, row.providerId), model: row.model, params },
    // The server grades by a job of its own.
    judge: undefined,
    grading: undefined,
    concurrency,
    requestsPerMinute: requests_per_minute,
    warnings: [],
  };
}
