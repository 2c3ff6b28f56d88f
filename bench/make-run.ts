/** A run folder of many short browser episodes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JournalEvent, RunPlan } from '../src/events/index.ts';
import { attemptPath, FolderRunStore, newRunId } from '../src/runs/index.ts';
import { documentedEvents } from '../test/journal/documented-events.ts';

/** The episode of the reference page, under many names; every tenth did not pass. */
export async function makeRun(root: string, attempts: number): Promise<void> {
  const cells = Array.from({ length: attempts }, (_, index) => ({ caseId: `case-${index + 1}`, trial: 1 }));
  const plan: RunPlan = {
    runId: newRunId(),
    suite: { name: 'bench', hash: 'bench' },
    variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } },
    trials: 1,
    cells,
    inputs: { hash: 'bench', of: {} },
    createdAt: 0,
  };
  using store = new FolderRunStore(root);
  await store.create(plan);
  for (const [index, cell] of cells.entries()) {
    const folder = path.join(root, attemptPath({ ...cell, attempt: 1 }));
    mkdirSync(folder, { recursive: true });
    const lines = documentedEvents.map((event) => `${JSON.stringify(named(event, plan.runId, cell.caseId, index))}\n`);
    writeFileSync(path.join(folder, 'events.jsonl'), lines.join(''));
  }
  await store.end(plan.runId, 1_000);
  if (readFileSync(path.join(root, 'run.json')).length === 0) throw new Error('the run was not made');
}

function named(event: JournalEvent, runId: string, taskId: string, index: number): JournalEvent {
  if (event.type === 'start') return { ...event, runId, taskId };
  if (event.type !== 'stop') return event;
  // The page's episode was interrupted; these ended by themselves.
  const { cause: _cause, interrupted: _interrupted, ...stop } = event;
  return { ...stop, status: index % 10 === 0 ? 'failed' : 'passed' };
}
