/** A run of tasks with an agent whose models are those of a test model: the same as `waymark run --agent … --model …`. */
import path from 'node:path';
import {
  executeRun,
  FolderRunStore,
  type RunReport,
  readReport,
  resolveRun,
  type TaskChoices,
  writeReports,
} from '../../src/runs/index.ts';
import type { TestModel } from '../../src/test-model/index.ts';

export const TASKS = path.resolve(import.meta.dirname, '../../fixtures/tasks');

export interface ModelRun extends Partial<TaskChoices> {
  /** The name of the model. */
  readonly id: string;
  /** The folder of the run; it must not exist. */
  readonly out: string;
}

export async function runWithModel(server: TestModel, { id, out, ...choices }: ModelRun): Promise<RunReport> {
  const run = await resolveRun({
    tasks: [TASKS],
    agent: 'single',
    model: { kind: 'openai-compatible', model: id, baseUrl: server.baseUrls['openai-compatible'] },
    screenshots: false,
    concurrency: 2,
    env: {},
    version: '0.0.0',
    ...choices,
  });
  using store = new FolderRunStore(out);
  await executeRun(run, { store, env: {} });
  await writeReports(out);
  return readReport(out);
}
