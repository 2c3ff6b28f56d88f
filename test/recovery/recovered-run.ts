/** Runs of one task by an agent that is given as code, with and without recovery search. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTask, type TaskInput } from '../../src/cases/index.ts';
import type { Agent } from '../../src/episode/index.ts';
import type { EventOf, JournalEvent } from '../../src/events/index.ts';
import {
  executeRun,
  FolderRunStore,
  type RunReport,
  readEvents,
  readReport,
  resolveRun,
  type TaskChoices,
  writeReports,
} from '../../src/runs/index.ts';
import type { Lab } from '../support/lab.ts';

export interface RecoveredRun extends Disposable {
  root: string;
  report: RunReport;
  events: JournalEvent[];
  of<T extends JournalEvent['type']>(type: T): EventOf<T>[];
}

export async function runOnce(
  lab: Lab,
  input: TaskInput,
  agent: Agent,
  choices: Partial<TaskChoices> = {},
): Promise<RecoveredRun> {
  const parsed = parseTask(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const run = await resolveRun({
    tasks: [{ task: parsed.task, folder: import.meta.dirname, source: 'made.task.json' }],
    agent: { kind: agent.kind, make: () => agent },
    env: {},
    version: '0.0.0',
    ...choices,
  });
  const root = path.join(mkdtempSync(path.join(tmpdir(), 'waymark-recovery-')), 'run');
  using store = new FolderRunStore(root);
  const allowHosts = [new URL(lab.server.origin).hostname];
  await executeRun(run, { store, env: {}, browsers: { pool: lab.pool, allowHosts } });
  await writeReports(root, { joinJournals: true });
  const report = readReport(root);
  const events = await readEvents(path.join(root, 'events.jsonl'));
  return {
    root,
    report,
    events,
    of: <T extends JournalEvent['type']>(type: T): EventOf<T>[] =>
      events.filter((event): event is EventOf<T> => event.type === type),
    [Symbol.dispose]: () => rmSync(path.dirname(root), { recursive: true, force: true }),
  };
}
