/** How the attempts of a stored run that count ended, as outcome classes. Every journal is read once, and one is held at a time. */
import { episodeResult, type JournalEvent } from '../../events/index.ts';
import type { OutcomeClass } from '../../metrics/index.ts';
import { questionResult } from '../question-result.ts';
import type { RunStore } from '../run-store.ts';
import { sampledQuestion, sampledTask } from '../sampled-trial.ts';

/** One for each cell. What has no result was not the agent's doing. */
export async function outcomesOfRun(store: RunStore, runId: string): Promise<OutcomeClass[]> {
  const outcomes: OutcomeClass[] = [];
  for await (const { caseId, trial, attempts } of store.cells(runId)) {
    const counted = attempts.findLast(({ finished }) => finished);
    outcomes.push(
      (counted && (await outcomeOf(store, { runId, caseId, trial, attempt: counted.attempt }))) ?? 'env_error',
    );
  }
  return outcomes;
}

async function outcomeOf(
  store: RunStore,
  ref: { runId: string; caseId: string; trial: number; attempt: number },
): Promise<OutcomeClass | null> {
  const events: JournalEvent[] = [];
  for await (const event of store.events(ref)) events.push(event);
  const grades = await store.grades(ref);
  const [start] = events;
  if (start?.type === 'start' && start.kind === 'question') {
    const { caseId, attempt } = ref;
    return sampledQuestion(questionResult({ caseId, attempt, journal: '', events, grades }), ref.trial).outcome;
  }
  return sampledTask(episodeResult(events, { artifacts: { eventsJsonl: '', reportJson: '' }, grades })).outcome;
}
