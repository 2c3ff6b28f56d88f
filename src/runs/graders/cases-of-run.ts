/** The cases of a run as far as grading is concerned, from the first event of their journals. */
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import type { AttemptRef } from '../../events/index.ts';
import type { RunStore } from '../run-store.ts';
import type { CaseGraders } from './grader-choices.ts';

/** Each case once. `folder` is what paths in their graders are relative to. */
export async function casesOfRun(store: RunStore, runId: string, folder: string): Promise<CaseGraders[]> {
  const cases = new Map<string, CaseGraders>();
  for await (const { caseId, trial, attempts } of store.cells(runId)) {
    const counted = attempts.findLast(({ finished }) => finished);
    if (!counted || cases.has(caseId)) continue;
    const graders = await gradersIn(store, { runId, caseId, trial, attempt: counted.attempt });
    cases.set(caseId, { id: caseId, graders, folder });
  }
  return [...cases.values()];
}

async function gradersIn(store: RunStore, ref: AttemptRef): Promise<CaseGraders['graders']> {
  for await (const event of store.events(ref)) {
    if (event.type !== 'start' || event.kind === 'question') return undefined;
    return (event.task as EpisodeTaskSpec).graders;
  }
  return undefined;
}
