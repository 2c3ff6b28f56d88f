/** A run of several tasks into a folder, in the browsers of a lab; it can be resumed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTask, type TaskInput } from '../../src/cases/index.ts';
import type { Agent } from '../../src/episode/index.ts';
import { type EpisodeResult, episodeResult } from '../../src/events/index.ts';
import {
  attemptPath,
  executeRun,
  FolderRunStore,
  readEvents,
  resolveRun,
  type TaskChoices,
} from '../../src/runs/index.ts';
import type { Lab } from './lab.ts';

export interface TaskRuns extends Disposable {
  readonly folder: string;
  /** The reasons of those that were not begun. */
  readonly notBegun: string[];
  /** Executes what is open; once more, with the attempts that a fault ended. Returns the counted attempts, in the order of the tasks. */
  execute(): Promise<EpisodeResult[]>;
}

export async function runTasks(
  lab: Lab,
  inputs: readonly TaskInput[],
  agent: Agent,
  choices: Partial<TaskChoices> = {},
): Promise<TaskRuns> {
  const tasks = inputs.map((input) => {
    const parsed = parseTask(input);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return { task: parsed.task, folder: import.meta.dirname, source: 'made.task.json' };
  });
  const made = { kind: agent.kind, make: () => agent };
  const run = await resolveRun({ tasks, agent: made, env: {}, version: '0.0.0', screenshots: false, ...choices });
  const parent = mkdtempSync(path.join(tmpdir(), 'waymark-run-'));
  const folder = path.join(parent, 'run');
  const notBegun: string[] = [];
  let isResumed = false;
  return {
    folder,
    notBegun,
    async execute() {
      using store = new FolderRunStore(folder);
      const executed = await executeRun(run, { store, env: {}, browsers: { pool: lab.pool }, isResumed });
      isResumed = true;
      notBegun.splice(0, Infinity, ...executed.notBegun.map(({ reason }) => reason));
      const results: EpisodeResult[] = [];
      for await (const { caseId, trial, attempts } of store.cells(run.plan.runId)) {
        const counted = attempts.findLast(({ finished }) => finished);
        if (!counted) continue;
        const where = path.join(folder, attemptPath({ caseId, trial, attempt: counted.attempt }));
        const artifacts = { eventsJsonl: 'events.jsonl', reportJson: 'report.json' };
        results.push(episodeResult(await readEvents(path.join(where, 'events.jsonl')), { artifacts }));
      }
      return results;
    },
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }),
  };
}
