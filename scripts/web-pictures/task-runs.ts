/** Runs of agents in browsers for the pictures: three policies of the test model on web-ten, made by a real browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { executeRun, FolderRunStore, resolveRun, writeReports } from '../../src/runs/index.ts';
import { startTestModel } from '../../src/test-model/index.ts';

const SUITE = path.join(import.meta.dirname, '../../suites/web-ten');
/** In the order in which they are made. */
const POLICIES = ['wanderer', 'liar', 'oracle'] as const;

export interface TaskRuns extends Disposable {
  /** The folder of all of them. */
  folder: string;
  /** Of the agent that wanders, and of the one that knows the way. */
  wanderer: string;
  oracle: string;
}

export async function taskRuns(): Promise<TaskRuns> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-pictures-'));
  await using model = await startTestModel({ tasks: [SUITE] });
  const ids = new Map<string, string>();
  for (const policy of POLICIES) {
    const run = await resolveRun({
      tasks: [SUITE],
      agent: 'single',
      model: { kind: 'openai-compatible', model: `test:${policy}`, baseUrl: model.baseUrls['openai-compatible'] },
      variant: policy,
      concurrency: 2,
      version: '1.2.3',
    });
    const root = path.join(folder, policy);
    using store = new FolderRunStore(root);
    await executeRun(run, { store });
    await writeReports(root);
    ids.set(policy, run.plan.runId);
    console.log(`${policy}: ${run.plan.cells.length} tasks`);
  }
  return {
    folder,
    wanderer: ids.get('wanderer') ?? '',
    oracle: ids.get('oracle') ?? '',
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
