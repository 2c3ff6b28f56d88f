/** The runs that a worker has at hand: unpacked into its folder, resolved with its own environment. The last few are kept. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import type { Artifacts } from '../../store/index.ts';
import type { Environment } from '../open-run-model.ts';
import { resolveRun } from '../resolve-run.ts';
import type { TaskRun } from '../resolve-tasks.ts';
import type { RetryChoices } from '../retries.ts';
import { inputDifferences } from '../run-inputs.ts';
import type { RunStore } from '../run-store.ts';
import { unpackRun } from './unpack-run.ts';
import type { OpenWork } from './work-rows.ts';

const KEPT = 3;

export interface OpenedRunsOptions {
  readonly store: RunStore;
  readonly artifacts: Artifacts;
  readonly folder: string;
  readonly version: string;
  readonly concurrency: number;
  readonly env: Environment;
}

export interface OpenedRun extends TaskRun {
  readonly retry: RetryChoices;
}

export class OpenedRuns {
  readonly #options: OpenedRunsOptions;
  readonly #runs = new Map<string, Promise<OpenedRun>>();

  constructor(options: OpenedRunsOptions) {
    this.#options = options;
  }

  async get(work: OpenWork): Promise<OpenedRun> {
    const known = this.#runs.get(work.runId);
    if (known) return known;
    const opening = this.#open(work);
    this.#runs.set(work.runId, opening);
    try {
      return await opening;
    } catch (error) {
      this.#forget(work.runId);
      throw error;
    } finally {
      const [oldest] = this.#runs.keys();
      if (this.#runs.size > KEPT && oldest !== undefined) this.#forget(oldest);
    }
  }

  async #open({ runId, packageKey }: OpenWork): Promise<OpenedRun> {
    const { store, artifacts, version, concurrency, env } = this.#options;
    const plan = await store.plan(runId);
    if (!plan) throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId}.` });
    const { choices, tasks, places } = await unpackRun(packageKey, artifacts, this.#folderOf(runId));
    const run = await resolveRun({ ...choices, tasks, version, concurrency, env, hasSecrets: false });
    const [difference] = inputDifferences(plan.inputs, run.plan.inputs);
    const { retries, retryOn } = choices;
    if (difference === undefined) return { ...run, plan, places, retry: { retries, retryOn } };
    throw new WaymarkError({
      code: 'run_package_bad',
      message: `The run ${runId} can't be executed here: what arrived differs from what it was made of. ${difference}`,
      hint: 'A file that its tasks need did not travel with it. Keep all files of the suite in its folder, and make the run again.',
    });
  }

  #forget(runId: string): void {
    this.#runs.delete(runId);
    rmSync(this.#folderOf(runId), { recursive: true, force: true, maxRetries: 3 });
  }

  #folderOf(runId: string): string {
    return path.join(this.#options.folder, 'runs', runId);
  }
}
